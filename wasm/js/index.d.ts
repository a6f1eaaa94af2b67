/** Xiangqi engine that speaks UCI and UCCI, in a worker of its own. */
export interface Engine {
  /** Receives each line of the engine, without its end. */
  onmessage: ((line: string) => void) | null;
  /** Receives the error of a worker that has failed; the engine has then ended. */
  onerror: ((error: Error) => void) | null;
  /** Sends the engine a line of UCI or UCCI, such as `position startpos moves h2e2` or `go movetime 1000`. */
  postMessage(line: string): void;
  /** Ends the engine at once. */
  terminate(): void;
}

export interface EngineOptions {
  /** Whether to use SIMD; by default where the browser has it. The moves are the same. */
  simd?: boolean;
  /**
   * Whether to load the module with threads, which the option `Threads` sets; by default where memory can be
   * shared: in Node, and in pages that are isolated (COOP and COEP).
   */
  threads?: boolean;
  /** Milliseconds after which an engine that has not begun is an error; 60,000 by default. */
  startTimeout?: number;
}

/** Starts an engine. Lines sent before it is loaded are answered after. */
export function createEngine(options?: EngineOptions): Promise<Engine>;
