package io.millrace.samples.store;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a daemon.
 *
 * @param folder the folder of artifacts put here; the folder outlives the process
 * @param origins a folder that several daemons share, with files named by content id, or null
 * @param memoryBytes the memory for replicas
 * @param chunkBytes the chunk size of artifacts put here
 * @param maxConcurrency the number of daemons that may read a replica at once
 * @param heartbeat the time between two heartbeats to the coordinator
 * @param sourceTimeout the time that a load waits for a free source before a failure
 */
public record DaemonSettings(
    Path folder,
    @Nullable Path origins,
    long memoryBytes,
    int chunkBytes,
    int maxConcurrency,
    Duration heartbeat,
    Duration sourceTimeout) {
  /** Returns settings with 1 GiB of memory, chunks of 4 MiB, and two readers at once. */
  public static DaemonSettings in(Path folder) {
    return new DaemonSettings(
        folder,
        null,
        1L << 30,
        Manifest.USUAL_CHUNK_BYTES,
        2,
        Duration.ofSeconds(2),
        Duration.ofSeconds(30));
  }

  /** These settings with a shared folder of origins. */
  public DaemonSettings withOrigins(@Nullable Path origins) {
    return new DaemonSettings(
        folder, origins, memoryBytes, chunkBytes, maxConcurrency, heartbeat, sourceTimeout);
  }

  /** These settings with this memory for replicas. */
  public DaemonSettings withMemoryBytes(long memoryBytes) {
    return new DaemonSettings(
        folder, origins, memoryBytes, chunkBytes, maxConcurrency, heartbeat, sourceTimeout);
  }

  /** These settings with chunks of this size. */
  public DaemonSettings withChunkBytes(int chunkBytes) {
    return new DaemonSettings(
        folder, origins, memoryBytes, chunkBytes, maxConcurrency, heartbeat, sourceTimeout);
  }

  /** These settings with this number of readers of one replica at once. */
  public DaemonSettings withMaxConcurrency(int maxConcurrency) {
    return new DaemonSettings(
        folder, origins, memoryBytes, chunkBytes, maxConcurrency, heartbeat, sourceTimeout);
  }

  /** These settings with other heartbeats. */
  public DaemonSettings withHeartbeat(Duration heartbeat) {
    return new DaemonSettings(
        folder, origins, memoryBytes, chunkBytes, maxConcurrency, heartbeat, sourceTimeout);
  }

  /** These settings with another patience. */
  public DaemonSettings withSourceTimeout(Duration sourceTimeout) {
    return new DaemonSettings(
        folder, origins, memoryBytes, chunkBytes, maxConcurrency, heartbeat, sourceTimeout);
  }
}
