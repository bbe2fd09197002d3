package io.millrace.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Objects;

/**
 * Names the purpose of a transfer, as the application of the receiver registered the purpose. Only
 * the id travels: a 64-bit FNV-1a hash of the name. A receiver that registers two names with the
 * same id is told so at once.
 *
 * @param name 1 to 256 bytes of UTF-8
 * @param id hash of the name
 */
public record RouteId(String name, long id) {
  private static final int MAX_NAME_BYTES = 256;
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /** Checks that the id belongs to the name. */
  public RouteId {
    if (id != idOf(name)) {
      throw new IllegalArgumentException("route '" + name + "' does not have the id " + id);
    }
  }

  /**
   * The route of this name.
   *
   * @throws IllegalArgumentException if the name is empty or longer than 256 bytes
   */
  public static RouteId of(String name) {
    return new RouteId(name, idOf(name));
  }

  private static long idOf(String name) {
    byte[] bytes = Objects.requireNonNull(name, "name").getBytes(UTF_8);
    if (bytes.length == 0 || bytes.length > MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          "a route's name has 1 to 256 bytes of UTF-8, not " + bytes.length);
    }
    long hash = FNV_OFFSET;
    for (byte b : bytes) {
      hash = (hash ^ (b & 0xFF)) * FNV_PRIME;
    }
    return hash;
  }
}
