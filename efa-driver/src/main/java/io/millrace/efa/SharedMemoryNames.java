package io.millrace.efa;

import io.millrace.driver.EndpointAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of the provider shm: an address {@code fi_shm://PID:USER:INDEX} is the name of a file
 * in {@code /dev/shm}, which exists while the endpoint is open.
 */
final class SharedMemoryNames {
  static final Path DIRECTORY = Path.of("/dev/shm");

  /** The user's number has a sign if it is above 2^31. */
  private static final String NAME = "(([0-9]{1,10}):-?[0-9]{1,10}:[0-9]{1,10})";

  private static final Pattern FILE = Pattern.compile(NAME);
  private static final Pattern ADDRESS = Pattern.compile("[a-z_]+://" + NAME);

  private SharedMemoryNames() {}

  /** Whether an endpoint's file may have this name. */
  static boolean isName(String name) {
    return FILE.matcher(name).matches();
  }

  /** Whether the address is of an endpoint of this process, open or closed. */
  static boolean isOfThisProcess(EndpointAddress address) {
    Matcher parts = parse(address);
    return parts != null && Long.parseLong(parts.group(2)) == ProcessHandle.current().pid();
  }

  /** Whether this process has the number in an endpoint's name. */
  static boolean isOfThisProcess(String name) {
    return pid(name) == ProcessHandle.current().pid();
  }

  /** Whether another process that this process sees has the number in an endpoint's name. */
  static boolean isOfOtherProcess(String name) {
    return !isOfThisProcess(name) && isOfProcess(name);
  }

  /** Returns the name of an endpoint's file; null if the address has none. */
  static @Nullable String nameOf(EndpointAddress address) {
    Matcher parts = parse(address);
    return parts == null ? null : parts.group(1);
  }

  /** Whether a process that this process sees has the number in an endpoint's name. */
  static boolean isOfProcess(String name) {
    return ProcessHandle.of(pid(name)).isPresent();
  }

  private static long pid(String name) {
    return Long.parseLong(name.substring(0, name.indexOf(':')));
  }

  private static @Nullable Matcher parse(EndpointAddress address) {
    byte[] bytes = address.bytes();
    int length = bytes.length > 0 && bytes[bytes.length - 1] == 0 ? bytes.length - 1 : bytes.length;
    Matcher parts = ADDRESS.matcher(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
    return parts.matches() ? parts : null;
  }
}
