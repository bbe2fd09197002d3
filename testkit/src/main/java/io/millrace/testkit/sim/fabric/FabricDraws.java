package io.millrace.testkit.sim.fabric;

import io.millrace.testkit.sim.core.Draws;

/** The random decisions of a fabric: the entity is the link, the ordinal that of the attempt. */
final class FabricDraws {
  final Draws loss;
  final Draws jitter;
  final Draws tail;
  final Draws tailDelay;
  final Draws overtake;
  final Draws overtakeDelay;
  final Draws corrupt;
  final Draws corruptAt;
  final Draws key;
  final Draws base;

  FabricDraws(long seed) {
    loss = Draws.of(seed, "fabric.loss");
    jitter = Draws.of(seed, "fabric.jitter");
    tail = Draws.of(seed, "fabric.tail");
    tailDelay = Draws.of(seed, "fabric.tail-delay");
    overtake = Draws.of(seed, "fabric.overtake");
    overtakeDelay = Draws.of(seed, "fabric.overtake-delay");
    corrupt = Draws.of(seed, "fabric.corrupt");
    corruptAt = Draws.of(seed, "fabric.corrupt-at");
    key = Draws.of(seed, "fabric.key");
    base = Draws.of(seed, "fabric.base");
  }
}
