#!/usr/bin/env python3
"""Which rule for repetitions gives a search the value that the game has.

Makes small random games on graphs: each side has a few positions, and each of its moves is a check, a chase of
one or two of the pieces a and b, or neither. Every game is searched to its end by the rule of a game (a position
that occurs for the third time is ruled, by all moves since the first of the three) and by rules that end lines
earlier. Prints how many values differ, and the nodes.

    python3 scripts/repetition_games.py --games 8000 --seed 1
    python3 scripts/repetition_games.py --games 8000 --seed 2 --both
"""

import argparse
import random

IDLE, CHASE, CHECK = 0, 1, 2
FIRST_MOVES = ["+", "+", "a", "a", "b", "ab", ""]
SECOND_MOVES = ["+", "a", "", "", "", "", "", "", ""]
TOO_MANY_NODES = 400_000


class TooLarge(Exception):
    """The game has more lines than are worth a search."""


def level(labels):
    """What a side does by WXF whose moves in a loop have these labels."""
    if all(label == "+" for label in labels):
        return CHECK
    if "+" in labels:
        return IDLE
    return CHASE if set.intersection(*map(set, labels)) else IDLE


def value_of(own, other):
    """The value of a loop for a side at one level against a side at another."""
    return (other > own) - (other < own)


def whole_game(count, own, other):
    """Only the third occurrence ends the game."""
    return value_of(own, other) if count > 2 else None


def second(_count, own, other):
    """The second occurrence is enough."""
    return value_of(own, other)


def second_if_draw(count, own, other):
    """The second occurrence is enough for a draw."""
    return value_of(own, other) if count > 2 or own == other else None


def second_if_lasting(count, own, other):
    """The second occurrence is enough if no other loop can change its value."""
    lasts = other == IDLE and own != CHASE
    return value_of(own, other) if count > 2 or lasts else None


RULES = [whole_game, second, second_if_draw, second_if_lasting]


def random_game(source, both):
    """Moves by position; a position is a side and a number, and an end is the value for side 0."""
    size = source.randint(2, 3)
    game = {}
    for number in range(size):
        for side in (0, 1):
            labels = FIRST_MOVES if side == 0 else SECOND_MOVES if both else [""]
            moves: list[tuple[str, object]] = [
                (source.choice(labels), (1 - side, source.randrange(size)))
                for _ in range(source.randint(1, 3 - side))
            ]
            if source.random() < 0.15:
                moves.append(("", -1 if side == 0 else source.choice([-1, 0, 1])))
            game[side, number] = moves
    return game


def solve(game, start, rule):
    """The value for side 0, and the nodes searched; no line ends by a repetition of the start."""
    path, nodes = [(start, None)], 0

    def judged(position):
        """The value of the repetition for the side to move."""
        earlier = [i for i, (old, _) in enumerate(path[:-1]) if old == position]
        is_third = len(earlier) > 1
        if not earlier or (not is_third and (earlier[0] == 0 or rule is whole_game)):
            return None
        since = earlier[-2] if is_third else earlier[-1]
        labels = [label for _, label in path[since + 1 :]]
        # The last move was the opponent's.
        return rule(3 if is_third else 2, level(labels[-2::-2]), level(labels[::-2]))

    def search(position, alpha, beta):
        """Alpha-beta from the view of the side to move."""
        nonlocal nodes
        nodes += 1
        if nodes > TOO_MANY_NODES:
            raise TooLarge
        value = judged(position)
        if value is not None:
            return value
        best = -2
        for label, target in game[position]:
            if isinstance(target, int):
                value = target if position[0] == 0 else -target
            else:
                path.append((target, label))
                value = -search(target, -beta, -max(alpha, best))
                path.pop()
            best = max(best, value)
            if best >= beta:
                break
        return best

    value = search(start, -2, 2)
    return (value if start[0] == 0 else -value), nodes


def main():
    """Prints a line for each rule."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--games", type=int, default=2000, help="how many games (default 2000)")
    parser.add_argument("--seed", type=int, default=1, help="of the random games (default 1)")
    parser.add_argument("--both", action="store_true", help="both sides can check and chase")
    args = parser.parse_args()
    source = random.Random(args.seed)
    wrong, nodes, games = dict.fromkeys(RULES, 0), dict.fromkeys(RULES, 0), 0
    while games < args.games:
        game = random_game(source, args.both)
        start = (source.randrange(2), 0)
        try:
            found = {rule: solve(game, start, rule) for rule in RULES}
        except TooLarge:
            continue
        games += 1
        for rule, (value, count) in found.items():
            wrong[rule] += value != found[whole_game][0]
            nodes[rule] += count
    for rule in RULES:
        print(f"{rule.__name__:<18} {wrong[rule]:6} of {games} wrong {nodes[rule]:10} nodes")


if __name__ == "__main__":
    main()
