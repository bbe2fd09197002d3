package io.millrace.body;

import io.millrace.buffer.BlockClass;
import io.millrace.buffer.BufferRegistry;
import io.millrace.buffer.BufferSettings;
import io.millrace.config.CausalitySettings;
import io.millrace.config.CryptoSettings;
import io.millrace.config.DataKeySettings;
import io.millrace.config.TransferSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.ends.ExecutorLane;
import io.millrace.ends.WorkerInbox;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;

/** A node's services for bodies, for tests: all work on the caller's thread, in four blocks. */
final class TestBodies {
  private static final long SECOND_NS = 1_000_000_000;

  /** Crypto settings whose keys seldom change. */
  static final CryptoSettings CRYPTO =
      new CryptoSettings(
          "auto",
          "auto",
          128,
          1 << 23,
          1L << 36,
          60 * SECOND_NS,
          true,
          new DataKeySettings(1 << 23, 1L << 36, 10 * SECOND_NS, 256, 60 * SECOND_NS),
          true);

  static final int BLOCK_BYTES = 64 << 10;

  private TestBodies() {}

  /** Services with the ciphers of {@code aead}, whatever the protection. */
  static BodyServices services(AeadProvider aead) {
    return services(aead, Runnable::run);
  }

  /** The same services over an executor of the test's own. */
  static BodyServices services(AeadProvider aead, Executor executor) {
    return services(
        executor,
        registry(4),
        new TransferSettings(
            BLOCK_BYTES * 4,
            1 << 20,
            BLOCK_BYTES,
            BLOCK_BYTES,
            BLOCK_BYTES,
            BLOCK_BYTES,
            0,
            false,
            0,
            new TransferSettings.Registration(1 << 16, 1, 1 << 16),
            new CausalitySettings(1, 1, 0)),
        aead);
  }

  /** An opener whose sender has a share of the sender's own. */
  static BodyOpener opener(
      BodyServices services, BodyListener listener, WorkerInbox inbox, BodyTerms terms) {
    return new BodyOpener(services, listener, inbox, terms, services.shares().open("sender"));
  }

  /** Services with memory and limits of their own. */
  static BodyServices services(
      BufferRegistry buffers, TransferSettings settings, AeadProvider aead) {
    return services(Runnable::run, buffers, settings, aead);
  }

  private static BodyServices services(
      Executor executor, BufferRegistry buffers, TransferSettings settings, AeadProvider aead) {
    return new BodyServices(
        new ExecutorLane(executor, 16, 1),
        buffers,
        settings,
        aead,
        aead,
        CRYPTO,
        new SplittableRandom(1));
  }

  /** Memory of {@code blocks} blocks. */
  static BufferRegistry registry(int blocks) {
    return new BufferRegistry(
        new BufferSettings(List.of(new BlockClass(BLOCK_BYTES, blocks)), BLOCK_BYTES, true));
  }
}
