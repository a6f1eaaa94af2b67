//! The protocols: transcripts against the binary, its answering times, and random input.

mod client;
mod conversation;
mod mutations;
mod transcripts;
