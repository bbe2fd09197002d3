package io.millrace.protocol.schedule;

/**
 * The send rate of a NIC, as a queue of turns: each train takes a turn, and the turns of all
 * workers follow one another at the rate. A turn begins at the end of the last turn, or now if
 * nobody waits. A worker without anything to send takes no turn, so that its part goes to the other
 * workers.
 *
 * <p>An implementation for several workers is called on the thread of each worker, and neither
 * blocks nor allocates. Times are of one clock.
 */
public interface SendRate {
  /** No rate: nobody waits. */
  SendRate UNLIMITED =
      new SendRate() {
        @Override
        public long bitsPerSecond() {
          return LeakyBucket.UNLIMITED;
        }

        @Override
        public long take(long nowNs, long lengthNs) {
          return nowNs;
        }

        @Override
        public void settle(long changeNs, long earliestNs) {}

        @Override
        public long longestNs(long packetNs) {
          return 0;
        }
      };

  /** The rate; {@link LeakyBucket#UNLIMITED} for no rate. */
  long bitsPerSecond();

  /**
   * Takes the next turn.
   *
   * @param lengthNs the expected length of the turn, ns
   * @return the start of the turn, ns: now or later
   */
  long take(long nowNs, long lengthNs);

  /**
   * The turns taken so far are longer by {@code changeNs} than expected, or shorter if the value is
   * negative; the next turn does not start before {@code earliestNs}.
   */
  void settle(long changeNs, long earliestNs);

  /**
   * A worker has sent a packet of this length, ns; 0 only asks.
   *
   * @return the longest packet so far, ns
   */
  long longestNs(long packetNs);
}
