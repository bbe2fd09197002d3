package io.millrace.engine;

import io.millrace.body.BodyServices;
import io.millrace.buffer.BlockClass;
import io.millrace.buffer.BufferLeak;
import io.millrace.buffer.BufferListener;
import io.millrace.buffer.BufferRegistry;
import io.millrace.buffer.BufferSettings;
import io.millrace.config.TransferSettings;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.Records;
import io.millrace.ends.ExecutorLane;
import io.millrace.event.TransportEvents;
import io.millrace.node.TransportException;
import java.util.List;
import java.util.function.Function;

/** The memory and ciphers of a node's bodies; control plane. */
final class NodeBodies implements AutoCloseable {
  private static final String AUTO = "auto";

  private final BufferRegistry buffers;
  private final BodyServices services;

  /**
   * Takes the memory.
   *
   * @param isRegistered whether the driver writes from the buffers; else the buffers are arrays,
   *     the fastest memory for sealing records
   * @param events told of memory that nobody gives back
   */
  NodeBodies(
      TransportSettings settings,
      PoolOptions options,
      boolean isRegistered,
      TransportEvents events) {
    TransferSettings transfers = settings.transfers();
    buffers =
        new BufferRegistry(
            new BufferSettings(
                List.of(
                    new BlockClass(TransferSettings.SMALL_BLOCK_BYTES, transfers.smallBlocks()),
                    new BlockClass(TransferSettings.LARGE_BLOCK_BYTES, transfers.largeBlocks())),
                TransferSettings.PART_BYTES,
                !isRegistered),
            new Told(events));
    AeadProvider given = options.aead();
    services =
        new BodyServices(
            options.lane(),
            buffers,
            transfers,
            given != null
                ? given
                : recordAead(
                    settings,
                    found -> found.select(Records.RECORD_BYTES),
                    options.environment().ciphers()),
            given != null
                ? given
                : recordAead(
                    settings, AeadProviders::selectAuthenticating, options.environment().ciphers()),
            settings.crypto(),
            options.environment().newRandom("data-keys"));
  }

  /** Tells events of faults around the memory. */
  private record Told(TransportEvents events) implements BufferListener {
    @Override
    public void onLeak(BufferLeak leak) {
      events.onBufferLeaked(leak.owner(), leak.bytes(), leak.references());
    }

    @Override
    public void onWakeFailed(RuntimeException failure) {
      ExecutorLane.report(failure);
    }
  }

  BodyServices services() {
    return services;
  }

  private static AeadProvider recordAead(
      TransportSettings settings,
      Function<AeadProviders, AeadProvider> preference,
      AeadProviders providers) {
    String name = settings.crypto().recordAead();
    try {
      return name.equals(AUTO) ? preference.apply(providers) : providers.named(name);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new TransportException(
          "configuration key 'millrace.crypto.record-aead': " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    services.close();
    buffers.close();
  }
}
