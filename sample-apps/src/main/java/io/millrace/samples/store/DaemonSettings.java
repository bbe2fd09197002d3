package io.millrace.samples.store;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a daemon works.
 *
 * @param folder of what is put here; it outlives the process
 * @param origins a folder that several daemons share, with files named by content id, or null
 * @param memoryBytes for replicas in memory
 * @param chunkBytes of artifacts that are put here
 * @param maxConcurrency how many may read one replica at once
 * @param heartbeat how often the coordinator hears of it
 * @param sourceTimeout how long a load waits for a free source before it fails
 */
public record DaemonSettings(
    Path folder,
    @Nullable Path origins,
    long memoryBytes,
    int chunkBytes,
    int maxConcurrency,
    Duration heartbeat,
    Duration sourceTimeout) {
  /** 1 GiB of memory, chunks of 4 MiB, two readers at once. */
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

  /** These settings with so much memory for replicas. */
  public DaemonSettings withMemoryBytes(long memoryBytes) {
    return new DaemonSettings(
        folder, origins, memoryBytes, chunkBytes, maxConcurrency, heartbeat, sourceTimeout);
  }

  /** These settings with chunks of this size. */
  public DaemonSettings withChunkBytes(int chunkBytes) {
    return new DaemonSettings(
        folder, origins, memoryBytes, chunkBytes, maxConcurrency, heartbeat, sourceTimeout);
  }

  /** These settings with so many readers of one replica at once. */
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
