package io.millrace.loop.watch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Linux's figures of a thread: its running time, its waiting time for a core, and whether the
 * thread waits for something else. The watchdog's thread reads these figures, and only of a worker
 * that stands still.
 *
 * @param runNs processor time since the thread began, or {@link HangDetector#UNKNOWN}
 * @param waitNs time since then in which the thread could run and had no core, or {@link
 *     HangDetector#UNKNOWN}. The present wait is not included
 * @param isBlocked whether the thread sleeps, in a lock or a system call; a thread that waits for a
 *     core, or that a debugger stopped, does not
 */
record ThreadTimes(long runNs, long waitNs, boolean isBlocked) {
  private static final Path TASKS = Path.of("/proc/self/task");
  private static final ThreadTimes NOT_KNOWN =
      new ThreadTimes(HangDetector.UNKNOWN, HangDetector.UNKNOWN, true);

  /** Of a thread of this process by the kernel's number; not known where the system is another. */
  static ThreadTimes of(long thread) {
    if (thread <= 0) {
      return NOT_KNOWN;
    }
    Path task = TASKS.resolve(Long.toString(thread));
    try {
      return parse(text(task.resolve("schedstat")), text(task.resolve("stat")));
    } catch (IOException e) {
      return NOT_KNOWN;
    }
  }

  /** From the contents of both files. */
  static ThreadTimes parse(String schedstat, String stat) {
    String[] times = schedstat.strip().split(" ", -1);
    int state = stat.lastIndexOf(')') + 2;
    if (times.length < 2 || state < 2 || state >= stat.length()) {
      return NOT_KNOWN;
    }
    try {
      long runNs = Long.parseLong(times[0]);
      long waitNs = Long.parseLong(times[1]);
      // A kernel without these counts has zeros, and every thread read here has run.
      return runNs == 0
          ? NOT_KNOWN
          : new ThreadTimes(runNs, waitNs, "SD".indexOf(stat.charAt(state)) >= 0);
    } catch (NumberFormatException e) {
      return NOT_KNOWN;
    }
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1); // names are arbitrary bytes
  }
}
