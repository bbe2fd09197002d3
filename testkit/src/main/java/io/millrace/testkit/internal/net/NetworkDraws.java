package io.millrace.testkit.internal.net;

import io.millrace.testkit.sim.Draws;

/** The random decisions of links: the entity is the link, the ordinal that of the datagram. */
final class NetworkDraws {
  final Draws loss;
  final Draws burst;
  final Draws burstLength;
  final Draws jitter;
  final Draws tail;
  final Draws tailDelay;
  final Draws reorder;
  final Draws reorderDelay;
  final Draws duplicate;
  final Draws duplicateDelay;
  final Draws corrupt;
  final Draws corruptBits;
  final Draws corruptAt;
  final Draws truncate;
  final Draws truncateAt;

  NetworkDraws(long seed) {
    loss = Draws.of(seed, "net.loss");
    burst = Draws.of(seed, "net.burst");
    burstLength = Draws.of(seed, "net.burst-length");
    jitter = Draws.of(seed, "net.jitter");
    tail = Draws.of(seed, "net.tail");
    tailDelay = Draws.of(seed, "net.tail-delay");
    reorder = Draws.of(seed, "net.reorder");
    reorderDelay = Draws.of(seed, "net.reorder-delay");
    duplicate = Draws.of(seed, "net.duplicate");
    duplicateDelay = Draws.of(seed, "net.duplicate-delay");
    corrupt = Draws.of(seed, "net.corrupt");
    corruptBits = Draws.of(seed, "net.corrupt-bits");
    corruptAt = Draws.of(seed, "net.corrupt-at");
    truncate = Draws.of(seed, "net.truncate");
    truncateAt = Draws.of(seed, "net.truncate-at");
  }
}
