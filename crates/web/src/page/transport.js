// How requests and changes travel: over HTTP. The page without a server has another file of this name.

/** Whether boards outlive the page. */
export const outlivesPage = true;

/** @param {string} address @param {RequestInit} [options] */
export const request = (address, options) => fetch(address, options);

/** Hears that the engine does not start; a server has started it. @param {() => void} _hear */
export const onStall = (_hear) => {};

/** Says that the page of a board is being closed. @param {string} board its address */
export const leave = (board) => { navigator.sendBeacon(`${board}/leave`); };

/** The changes of a board. @param {string} address @returns {EventSource} */
export const openEvents = (address) => new EventSource(address);
