#!/usr/bin/env python3
"""Tests of screen.py that play no game.

    python3 -m unittest discover scripts
"""

import random
import unittest

import screen


class ScreenTest(unittest.TestCase):
    def test_a_matrix_times_its_inverse_is_one(self):
        matrix = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]]
        found = screen.inverse(matrix)
        for i in range(3):
            for j in range(3):
                product = sum(matrix[i][k] * found[k][j] for k in range(3))
                self.assertAlmostEqual(product, float(i == j))

    def records(self, share):
        """Pairs of which the constant `strong` decides this share, and chance the others."""
        chance = random.Random(5)
        records = []
        for _ in range(600):
            signs = {name: chance.choice((-1, 1)) for name in ("strong", "weak")}
            result = 0.5 * signs["strong"] if chance.random() < share else chance.choice((-0.5, 0.5))
            records.append({"signs": signs, "result": result})
        return records

    def test_the_constant_that_decides_the_games_is_found(self):
        found = screen.effects(self.records(0.4), ["strong", "weak"])
        effect, error = found["strong"]
        self.assertGreater(effect, 2 * error)
        self.assertLess(abs(found["weak"][0]), 2.5 * found["weak"][1])

    def test_a_gain_by_chance_vanishes_in_the_other_half(self):
        names = ["strong", "weak"]
        _, error = screen.effects(self.records(0.0), names)["strong"]
        self.assertLess(screen.held_out_gain(self.records(0.0), names), 2 * error)
        self.assertGreater(screen.held_out_gain(self.records(0.4), names), 4 * error)

    def test_few_pairs_leave_the_error_of_the_prior(self):
        names = ["strong", "weak"]
        pairs = [{"signs": {"strong": 1, "weak": sign}, "result": 0.0} for sign in (-1, 1)]
        prior = screen.PRIOR * screen.ELO
        for effect, error in screen.effects(pairs, names).values():
            self.assertEqual(effect, 0)
            self.assertTrue(0.9 * prior < error <= prior, error)

    def test_names_and_levels_must_be_those_of_the_source(self):
        known = {"iir_depth": (4, 1, 9)}
        self.assertIsNone(screen.wrong_levels({"iir_depth": (1, 9)}, known))
        self.assertEqual(screen.wrong_levels({"iir_depth": (2, 10)}, known), "iir_depth=10: give 1 to 9")
        self.assertIn("no such constant: iir_deep", screen.wrong_levels({"iir_deep": (2, 6)}, known))

    def test_levels_are_read(self):
        self.assertEqual(screen.level_pair("iir_depth=2:6"), ("iir_depth", (2, 6)))
        for text in ("iir_depth", "iir_depth=2", "iir_depth=2:x", "iir_depth=2:2"):
            with self.assertRaises(screen.argparse.ArgumentTypeError):
                screen.level_pair(text)


if __name__ == "__main__":
    unittest.main()
