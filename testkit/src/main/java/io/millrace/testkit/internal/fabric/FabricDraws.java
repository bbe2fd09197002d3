package io.millrace.testkit.internal.fabric;

import io.millrace.testkit.sim.Draws;

/** The random decisions of a fabric: the entity is the link, the ordinal that of the attempt. */
final class FabricDraws {
  final Draws loss;
  final Draws burst;
  final Draws burstLength;
  final Draws jitter;
  final Draws tail;
  final Draws tailDelay;
  final Draws overtake;
  final Draws overtakeDelay;
  final Draws corrupt;
  final Draws truncate;
  final Draws corruptAt;
  final Draws key;
  final Draws base;

  FabricDraws(long seed) {
    loss = Draws.of(seed, "fabric.loss");
    burst = Draws.of(seed, "fabric.burst");
    burstLength = Draws.of(seed, "fabric.burst-length");
    jitter = Draws.of(seed, "fabric.jitter");
    tail = Draws.of(seed, "fabric.tail");
    tailDelay = Draws.of(seed, "fabric.tail-delay");
    overtake = Draws.of(seed, "fabric.overtake");
    overtakeDelay = Draws.of(seed, "fabric.overtake-delay");
    truncate = Draws.of(seed, "fabric.truncate");
    corrupt = Draws.of(seed, "fabric.corrupt");
    corruptAt = Draws.of(seed, "fabric.corrupt-at");
    key = Draws.of(seed, "fabric.key");
    base = Draws.of(seed, "fabric.base");
  }
}
