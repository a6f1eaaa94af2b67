//! A socket with one deadline for everything that is read or written through it.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// Reads and writes until the deadline, over any number of calls. A timeout for each call would let
/// a client hold on without end with one byte at a time.
pub(super) struct DeadlineStream<'a> {
    stream: &'a TcpStream,
    deadline: Instant,
}

impl<'a> DeadlineStream<'a> {
    pub(super) fn new(stream: &'a TcpStream, time: Duration) -> DeadlineStream<'a> {
        DeadlineStream { stream, deadline: Instant::now() + time }
    }

    /// Returns the time left; never zero, which a socket would take for endless.
    fn left(&self) -> io::Result<Duration> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
    }

    /// Ends the sending side and reads what the client still sends, so that the system does not
    /// throw the response away together with the unread rest of a request.
    pub(super) fn linger(mut self, most: usize) {
        let _ = self.stream.shutdown(Shutdown::Write);
        let mut rest = [0; 8192];
        let mut total = 0;
        while total < most {
            match self.read(&mut rest) {
                Ok(0) | Err(_) => return,
                Ok(count) => total += count,
            }
        }
    }
}

impl Read for DeadlineStream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(buffer)
    }
}

impl Write for DeadlineStream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
