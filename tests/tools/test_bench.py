"""`make bench` measures everything that it reports."""

import json
from dataclasses import replace

from game.engine.food_web import field
from tests.tools.bench import bench
from tests.tools.bench.__main__ import main


def test_bench_prints_all_figures_as_json(monkeypatch, capsys):
    effort = replace(bench.QUICK, rules_s=0.05, engine_s=0.05, touches=10, games=2, pico_touches=2)
    monkeypatch.setattr(bench, "QUICK", effort)
    assert main(["--json", "--quick"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["random_games_per_s"] > 0
    assert figures["latency"]["touches"] == 10
    assert set(figures["latency"]) == {
        *("touches", "light", "sensing", "i2c", "ours", "disk", "pixels", "sensed", "accepted")
    }
    assert figures["pico_light"]["p50_ms"] > 0
    assert figures["engine_compiled"] == field.__file__.endswith(".so")
    assert min(figures["engine_games_per_s"], figures["engine_nodes_per_s"]) > 0
    assert figures["step"]["calls"] > figures["step"]["files"] > 0
    assert figures["process"]["start_to_ready_s"] > 0
    assert figures["process"]["games"] == 2
