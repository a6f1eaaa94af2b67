//! The protocols: transcripts against the binary, its answering times, and random input.

mod client;
mod command_line;
mod conversation;
mod mutations;
mod transcripts;
