//! The start of an engine: its process, handshake and options.

use std::io;
use std::sync::Arc;

use super::{EngineError, RunningEngine, WaitStart};
use crate::engine::declared_option::{
    DeclaredOption, EngineOptionError, UNKNOWN_NAME, find, is_known, is_same,
};
use crate::engine::fault::Fault;
use crate::engine::process::EngineProcess;
use crate::engine::protocol::{EngineProtocol, TimeUnit};
use crate::engine::settings::EngineSettings;
use crate::engine::stop_signal::StopSignal;

/// The maximum number of kept characters of a name.
const MAX_NAME: usize = 200;

impl RunningEngine {
    /// Starts the program, waits for its handshake and sets its options.
    pub(crate) fn start(
        settings: &Arc<EngineSettings>,
        stop: &StopSignal,
    ) -> Result<RunningEngine, EngineError> {
        let process = EngineProcess::spawn(settings, stop.clone())
            .map_err(|error| Fault::NoStart(no_start(settings, &error)))?;
        let mut engine = RunningEngine {
            process,
            settings: Arc::clone(settings),
            name: None,
            options: Vec::new(),
            pondering: None,
            answered: None,
            output: 0,
            remarks: Vec::new(),
        };
        engine.handshake()?;
        engine.set_options()?;
        let prefix = settings.protocol.remark_prefix();
        let lines = engine.wait_until_ready()?;
        engine.remarks =
            lines.iter().filter_map(|line| line.strip_prefix(prefix)).map(str::to_owned).collect();
        engine.remarks.extend(engine.doubt_of_unit());
        engine.remarks.extend(engine.loss_by_unit());
        Ok(engine)
    }

    /// Returns the options of the settings that the engine does not have or whose value it does not
    /// accept or has refused; the refusals are no longer among its remarks.
    ///
    /// Many engines have options that they do not declare, such as the constants of their search.
    /// In debug mode some tell of a name that they do not have.
    pub(crate) fn wrong_options(&mut self) -> Result<Vec<EngineOptionError>, EngineError> {
        let settings = Arc::clone(&self.settings);
        let refuses = |remark: &str| remark.starts_with("option ") && remark.contains(": ");
        let (refusals, remarks) =
            std::mem::take(&mut self.remarks).into_iter().partition(|remark| refuses(remark));
        self.remarks = remarks;
        let mut wrong = Vec::new();
        let mut to_unknown: Option<Vec<String>> = None;
        for (name, value) in &settings.options {
            if let Some(option) = self.option(name) {
                wrong.extend(option.refusal(value).map(|expected| EngineOptionError::Value {
                    name: name.clone(),
                    value: value.clone(),
                    expected,
                }));
                continue;
            }
            if to_unknown.is_none() {
                to_unknown = Some(self.answers_in_debug_mode(UNKNOWN_NAME, "1")?);
            }
            let answers = self.answers_in_debug_mode(name, value)?;
            if !is_known(name, &answers, to_unknown.as_deref().unwrap_or_default()) {
                wrong.push(EngineOptionError::Unknown(name.clone()));
            }
        }
        wrong.extend(refusals.into_iter().map(EngineOptionError::Refused));
        Ok(wrong)
    }

    /// Sets an option in debug mode and returns what the engine says to it.
    fn answers_in_debug_mode(
        &mut self,
        name: &str,
        value: &str,
    ) -> Result<Vec<String>, EngineError> {
        let protocol = self.settings.protocol;
        self.send(protocol.debug(true))?;
        self.wait_until_ready()?;
        self.send(&protocol.set_option(name, value))?;
        let answers = self.wait_until_ready()?;
        self.send(protocol.debug(false))?;
        Ok(answers)
    }

    fn handshake(&mut self) -> Result<(), EngineError> {
        let protocol = self.settings.protocol;
        let start = WaitStart::now(&self.process);
        self.send(protocol.greeting())?;
        loop {
            let line = self.receive(start, self.settings.startup)?.ok_or(Fault::NoHandshake)?;
            if line.text == protocol.greeting_answer() {
                return Ok(());
            }
            self.options.extend(DeclaredOption::parse(protocol, &line.text));
            let part = ["id name ", "id version "].iter().find_map(|id| line.text.strip_prefix(id));
            if let Some(part) = part {
                // A record has no control characters, and a resumed match compares the name with it.
                let plain = |c: char| if c.is_control() { ' ' } else { c };
                let part: String = part.trim().chars().map(plain).take(MAX_NAME).collect();
                self.name =
                    Some(self.name.take().map_or(part.clone(), |name| format!("{name} {part}")));
            }
        }
    }

    fn set_options(&mut self) -> Result<(), EngineError> {
        let settings = Arc::clone(&self.settings);
        let mut implied = Vec::new();
        match settings.protocol {
            // Engines that play several games need the name of this one.
            EngineProtocol::Uci => implied.push(("UCI_Variant", "xiangqi")),
            EngineProtocol::Ucci if settings.time_unit() == TimeUnit::Milliseconds => {
                implied.push(("usemillisec", "true"));
            }
            EngineProtocol::Ucci => {}
        }
        if settings.ponder {
            implied.push(("Ponder", "true"));
        }
        for (name, value) in implied {
            let given = settings.options.iter().any(|(set, _)| is_same(set, name));
            if let Some(option) = self.option(name).filter(|_| !given) {
                let command = settings.protocol.set_option(&option.name, value);
                self.send(&command)?;
            }
        }
        for (name, value) in &settings.options {
            let (name, value) = match self.option(name) {
                Some(option) => (&option.name, option.value_to_send(value)),
                None => (name, Some(value.as_str())),
            };
            if let Some(value) = value {
                let command = settings.protocol.set_option(name, value);
                self.send(&command)?;
            }
        }
        Ok(())
    }

    /// Warns if the settings do not name the unit in which a UCCI engine with a clock counts time.
    fn doubt_of_unit(&self) -> Option<String> {
        let settings = &self.settings;
        let control = &settings.control;
        let has_time = control.clock.is_some() || control.move_time.is_some();
        let is_open = settings.protocol == EngineProtocol::Ucci
            && settings.unit.is_none()
            && self.option("usemillisec").is_none();
        (has_time && is_open).then(|| {
            "it has no option usemillisec and is sent milliseconds; give unit=s if it counts \
             seconds, otherwise unit=ms"
                .to_owned()
        })
    }

    /// Warns if an engine that counts seconds is told less time than it has.
    fn loss_by_unit(&self) -> Option<String> {
        let settings = &self.settings;
        let clock = settings.control.clock;
        let times = [
            settings.control.move_time,
            clock.map(|clock| clock.time),
            clock.map(|clock| clock.increment),
        ];
        let has_parts = times.into_iter().flatten().any(|time| time.subsec_nanos() > 0);
        let is_told_seconds =
            settings.protocol == EngineProtocol::Ucci && settings.time_unit() == TimeUnit::Seconds;
        (has_parts && is_told_seconds).then(|| {
            format!(
                "it receives whole seconds, so fractions of a second of {} are lost",
                settings.control
            )
        })
    }

    /// Returns the option as the engine declares it, if it has the option.
    pub(super) fn option(&self, name: &str) -> Option<&DeclaredOption> {
        find(&self.options, name)
    }
}

/// Explains why the program does not start, with a remedy.
fn no_start(settings: &EngineSettings, error: &io::Error) -> String {
    if let Some(folder) = settings.directory.as_ref().filter(|folder| !folder.is_dir()) {
        return format!("dir={}: there is no such folder", folder.display());
    }
    let is_bare = settings.command.components().count() == 1;
    let name = settings.command.display();
    if is_bare && error.kind() == io::ErrorKind::NotFound {
        format!("{name} is neither in the folder of the engine nor in PATH; give its full path")
    } else {
        format!("{name}: {error}")
    }
}
