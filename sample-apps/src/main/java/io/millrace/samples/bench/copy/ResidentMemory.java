package io.millrace.samples.bench.copy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Reads how much memory of a process is resident, again and again until it is closed or the process
 * has ended. Linux.
 */
final class ResidentMemory implements AutoCloseable {
  private static final long INTERVAL_MS = 100;
  private static final String FIELD = "VmRSS:";

  private final Path status;
  private final List<Long> kibibytes = new ArrayList<>();
  private final Thread reader = Thread.ofPlatform().daemon().name("resident").unstarted(this::read);
  private final CountDownLatch closed = new CountDownLatch(1);

  private ResidentMemory(long pid) {
    status = Path.of("/proc", String.valueOf(pid), "status");
  }

  /** Begins with a process that lives. */
  static ResidentMemory of(long pid) {
    ResidentMemory memory = new ResidentMemory(pid);
    memory.reader.start();
    return memory;
  }

  /** Ends the reading; what was read: MiB, oldest first, at equal distances in time. */
  List<Long> end() throws InterruptedException {
    close();
    reader.join();
    return kibibytes.stream().map(kib -> kib / 1024).toList();
  }

  @Override
  public void close() {
    closed.countDown();
  }

  private void read() {
    try {
      do {
        add(Files.readAllLines(status));
      } while (!closed.await(INTERVAL_MS, TimeUnit.MILLISECONDS));
    } catch (IOException e) {
      // the process has ended, and with it what there is to read
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void add(List<String> lines) {
    for (String line : lines) {
      if (line.startsWith(FIELD)) {
        kibibytes.add(Long.valueOf(line.replaceAll("[^0-9]", "")));
      }
    }
  }
}
