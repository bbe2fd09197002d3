package io.millrace.samples.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The time for which threads of this process were ready to run while another thread had their core:
 * the cost of other programs on the machine for this process.
 */
final class RunQueue {
  private static final Path TASKS = Path.of("/proc/self/task");

  private RunQueue() {}

  /**
   * Nanoseconds waited so far by all living threads; 0 where the system does not report the wait.
   */
  static long waitedNs() {
    if (!Files.isDirectory(TASKS)) {
      return 0;
    }
    long waitedNs = 0;
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        waitedNs += waitedNs(task.resolve("schedstat"));
      }
    } catch (IOException e) {
      return 0;
    }
    return waitedNs;
  }

  private static long waitedNs(Path schedstat) {
    try (var in = Files.newInputStream(schedstat)) {
      // time on the core, time waiting for a core, number of turns
      String[] fields =
          new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip().split(" ", -1);
      return fields.length == 3 ? Long.parseLong(fields[1]) : 0;
    } catch (IOException e) {
      // the thread has ended
      return 0;
    }
  }
}
