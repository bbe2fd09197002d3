package io.millrace.efa;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The number of bytes that the system lets this process lock, as the system says at the moment;
 * control plane. A process with the capability {@code CAP_IPC_LOCK} may lock more.
 */
final class LockedMemoryLimit {
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final String LINE = "Max locked memory";

  private LockedMemoryLimit() {}

  /** The limit in words for a person. */
  static String text() {
    try {
      return text(Files.readString(LIMITS));
    } catch (IOException e) {
      return "RLIMIT_MEMLOCK of this process is not known";
    }
  }

  /** The limit in the text of {@code /proc/self/limits}, in words for a person. */
  static String text(String limits) {
    return limits
        .lines()
        .filter(line -> line.startsWith(LINE))
        .map(line -> firstWord(line.substring(LINE.length()).strip()))
        .map(soft -> "RLIMIT_MEMLOCK of this process is " + soft + (isNumber(soft) ? " bytes" : ""))
        .findFirst()
        .orElse("RLIMIT_MEMLOCK of this process is not known");
  }

  private static String firstWord(String words) {
    int end = words.indexOf(' ');
    return end < 0 ? words : words.substring(0, end);
  }

  private static boolean isNumber(String text) {
    return text.chars().allMatch(Character::isDigit);
  }
}
