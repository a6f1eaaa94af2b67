#!/usr/bin/env python3
"""Tests of firefox.py, without Firefox.

    python3 -m unittest discover scripts
"""

import json
import unittest
from unittest import mock

import browser
import firefox


class Socket:
    """A connection that answers the commands whose names are given."""

    def __init__(self, *answered):
        self.answered, self.replies = answered, []

    def send(self, text):
        command = json.loads(text)
        if command["method"] in self.answered:
            self.replies.append(json.dumps({"id": command["id"], "type": "success", "result": {}}))

    def recv(self, timeout):
        assert timeout >= 0
        if not self.replies:
            raise TimeoutError
        return self.replies.pop(0)


class FirefoxTest(unittest.TestCase):
    def failure(self, *answered):
        """How a picture fails that is never there."""
        window = firefox.Firefox.__new__(firefox.Firefox)
        window.number, window.context, window.problems, window.socket = 0, "page", [], Socket(*answered)
        with mock.patch.object(browser, "SILENCE", 7), self.assertRaises(browser.PageError) as raised:
            window.call("browsingContext.captureScreenshot")
        return str(raised.exception)

    def test_a_call_without_an_answer_names_what_hangs(self):
        self.assertIn("no answer in 7 s to browsingContext.captureScreenshot", self.failure())
        self.assertIn(": Firefox hangs", self.failure())
        self.assertIn(": the page hangs", self.failure("session.status"))
        self.assertIn("what the call waits for does not come", self.failure("session.status", "script.evaluate"))


if __name__ == "__main__":
    unittest.main()
