//! `cannonade web` over real sockets: games, analysis, files, who is let in, and hostile clients.

mod client;
mod command;
mod export;
mod games;
mod guard;
mod hostile;
mod keeping;
mod searching;
