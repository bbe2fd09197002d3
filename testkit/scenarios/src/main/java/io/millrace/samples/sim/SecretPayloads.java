package io.millrace.samples.sim;

import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.KeyInUse;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.sim.SimRun;
import java.nio.ByteOrder;
import org.agrona.collections.LongHashSet;

/**
 * The rule that no sealed payload stays readable: the part of a record that a cipher leaves as it
 * is contains no word of a secret payload. A word is taken at every {@value #STRIDE_BYTES}th byte
 * of the payload. A cipher has put out all bytes that leave a node, which is a rule of every run.
 * Simulation thread only.
 */
final class SecretPayloads implements CipherObserver {
  static final String NAME = "secret payload enciphered";
  private static final int STRIDE_BYTES = 512;

  private final SimRun run;
  private final LongHashSet words = new LongHashSet();
  private final byte[] word = new byte[Long.BYTES];
  private final SegmentBuffer wordView = new SegmentBuffer(word);
  private final SegmentBuffer view = new SegmentBuffer(0, 0);

  private SecretPayloads(SimRun run) {
    this.run = run;
  }

  /** Watches the nodes of a run, which have not booted yet. */
  static SecretPayloads in(SimRun run) {
    SecretPayloads rule = new SecretPayloads(run);
    FullRun.of(run).cluster().observeCiphers(rule);
    return rule;
  }

  /** Notes that a payload of this number of bytes of this pattern must be sealed. */
  void add(Pattern pattern, long id, long bytes) {
    for (long at = 0; at + Long.BYTES <= bytes; at += STRIDE_BYTES) {
      pattern.fill(id, at, word, 0, Long.BYTES);
      words.add(wordView.getLong(0, ByteOrder.LITTLE_ENDIAN));
    }
  }

  @Override
  public void onRecordOut(KeyInUse key, byte[] sealed, int offset, int length, int secretBytes) {
    int most = Math.min(length - secretBytes, STRIDE_BYTES + Long.BYTES - 1);
    view.wrap(sealed, offset + secretBytes, Math.max(most, 0));
    for (int at = 0; at + Long.BYTES <= most; at++) {
      if (words.contains(view.getLong(at, ByteOrder.LITTLE_ENDIAN))) {
        run.fail(
            NAME,
            "n"
                + key.life().node().number()
                + " leaves a secret payload readable from byte "
                + (secretBytes + at)
                + " of a record of "
                + length);
        return;
      }
    }
  }
}
