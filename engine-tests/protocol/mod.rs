//! The protocols: transcripts against the binary, and its answering times.

mod client;
mod command_line;
mod conversation;
mod endurance;
mod transcripts;
mod without_threads;
