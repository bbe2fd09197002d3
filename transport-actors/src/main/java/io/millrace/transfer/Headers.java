package io.millrace.transfer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.pekko.util.ByteString;

/**
 * Names and values that travel ahead of a payload: an ordered multi-map, as gRPC's metadata.
 * Immutable; any thread.
 *
 * <p>A name has 1 to 255 of the characters {@code a-z 0-9 - _ .}; the upper case is made lower. The
 * value of a name that ends in {@value #BINARY_SUFFIX} is bytes, all other values are text. All
 * together, encoded, have at most {@code millrace.limits.headers} bytes at both sides: 3 for each
 * entry, the name, and the value in UTF-8.
 *
 * <p>A peer's headers are decoded when the application asks for them; malformed headers throw
 * {@link MalformedHeadersException} then.
 */
public final class Headers {
  /** The suffix of the names of binary values. */
  public static final String BINARY_SUFFIX = "-bin";

  /** No headers. */
  public static final Headers EMPTY = new Headers(new byte[0]);

  private static final int MAX_NAME_BYTES = 255;
  private static final int MAX_VALUE_BYTES = 65_535;
  private static final int ENTRY_BYTES = 3;

  private final byte[] block;

  /** A single entry. */
  private record Entry(String name, byte[] value) {
    boolean isBinary() {
      return name.endsWith(BINARY_SUFFIX);
    }

    String text() {
      return new String(value, UTF_8);
    }
  }

  private Headers(byte[] block) {
    this.block = block;
  }

  /**
   * Returns headers with a single entry of text.
   *
   * @throws IllegalArgumentException if the name is malformed or of binary values, or the value has
   *     more than 65,535 bytes
   */
  public static Headers of(String name, String value) {
    return EMPTY.with(name, value);
  }

  /** The headers of an encoded block, which must not be changed afterwards. */
  public static Headers decode(byte[] block) {
    return block.length == 0 ? EMPTY : new Headers(block);
  }

  /** The encoded headers, as they travel; the array must not be changed. */
  public byte[] encode() {
    return block;
  }

  /** The bytes of the headers in their encoded form. */
  public int encodedBytes() {
    return block.length;
  }

  /** Whether the headers are empty. */
  public boolean isEmpty() {
    return block.length == 0;
  }

  /**
   * Returns these headers and a further entry of text; other entries of the name stay.
   *
   * @throws IllegalArgumentException if the name is malformed or of binary values, or the value has
   *     more than 65,535 bytes
   */
  public Headers with(String name, String value) {
    String key = checked(name);
    if (key.endsWith(BINARY_SUFFIX)) {
      throw new IllegalArgumentException(
          "header '" + key + "' has bytes, not text: use withBinary");
    }
    return append(key, value.getBytes(UTF_8));
  }

  /**
   * Returns these headers and a further entry of bytes; other entries of the name stay.
   *
   * @param name ends in {@value #BINARY_SUFFIX}
   * @throws IllegalArgumentException if the name is malformed or of text, or the value has more
   *     than 65,535 bytes
   */
  public Headers withBinary(String name, ByteString value) {
    String key = checked(name);
    if (!key.endsWith(BINARY_SUFFIX)) {
      throw new IllegalArgumentException(
          "the name of header '" + key + "' must end in " + BINARY_SUFFIX + ", its value is bytes");
    }
    return append(key, value.toArray());
  }

  /** Returns these headers without the entries of this name. */
  public Headers without(String name) {
    String key = checked(name);
    List<Entry> all = entries();
    if (all.stream().noneMatch(entry -> entry.name().equals(key))) {
      return this;
    }
    Headers left = EMPTY;
    for (Entry entry : all) {
      left = entry.name().equals(key) ? left : left.append(entry.name(), entry.value());
    }
    return left;
  }

  private Headers append(String name, byte[] value) {
    if (value.length > MAX_VALUE_BYTES) {
      throw new IllegalArgumentException(
          "header '" + name + "' has " + value.length + " bytes, more than " + MAX_VALUE_BYTES);
    }
    byte[] nameBytes = name.getBytes(UTF_8);
    int at = block.length;
    byte[] longer = Arrays.copyOf(block, at + ENTRY_BYTES + nameBytes.length + value.length);
    ByteBuffer.wrap(longer, at, longer.length - at)
        .order(LITTLE_ENDIAN)
        .put((byte) nameBytes.length)
        .put(nameBytes)
        .putShort((short) value.length)
        .put(value);
    return new Headers(longer);
  }

  /** The first text of this name. */
  public Optional<String> text(String name) {
    return all(name).stream().filter(entry -> !entry.isBinary()).map(Entry::text).findFirst();
  }

  /** All texts of this name, in their order. */
  public List<String> texts(String name) {
    return all(name).stream().filter(entry -> !entry.isBinary()).map(Entry::text).toList();
  }

  /** The first bytes of this name. */
  public Optional<ByteString> binary(String name) {
    return binaries(name).stream().findFirst();
  }

  /** All bytes of this name, in their order. */
  public List<ByteString> binaries(String name) {
    return all(name).stream()
        .filter(Entry::isBinary)
        .map(entry -> ByteString.fromArrayUnsafe(entry.value()))
        .toList();
  }

  /** The names, each as often as the headers hold the name, in the order of the entries. */
  public List<String> names() {
    return entries().stream().map(Entry::name).toList();
  }

  private List<Entry> all(String name) {
    String key = checked(name);
    return entries().stream().filter(entry -> entry.name().equals(key)).toList();
  }

  private List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    ByteBuffer from = ByteBuffer.wrap(block).order(LITTLE_ENDIAN);
    while (from.hasRemaining()) {
      String name = new String(bytes(from, Byte.toUnsignedInt(from.get())), UTF_8);
      if (from.remaining() < Short.BYTES || !isName(name)) {
        throw malformed();
      }
      entries.add(new Entry(name, bytes(from, Short.toUnsignedInt(from.getShort()))));
    }
    return entries;
  }

  private static byte[] bytes(ByteBuffer from, int length) {
    if (from.remaining() < length) {
      throw malformed();
    }
    byte[] bytes = new byte[length];
    from.get(bytes);
    return bytes;
  }

  private static MalformedHeadersException malformed() {
    return new MalformedHeadersException("the headers are malformed");
  }

  private static String checked(String name) {
    Objects.requireNonNull(name, "name");
    StringBuilder lower = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      lower.append(c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c);
    }
    String key = lower.toString();
    if (!isName(key)) {
      throw new IllegalArgumentException(
          "a header's name has 1 to 255 of a-z, 0-9, '-', '_' and '.', unlike '" + name + "'");
    }
    return key;
  }

  private static boolean isName(String name) {
    return !name.isEmpty()
        && name.length() <= MAX_NAME_BYTES
        && name.chars()
            .allMatch(
                c ->
                    c >= 'a' && c <= 'z'
                        || c >= '0' && c <= '9'
                        || c == '-'
                        || c == '_'
                        || c == '.');
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Headers that && Arrays.equals(block, that.block);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(block);
  }

  /** Names and texts; of binary values their lengths. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("Headers[");
    try {
      for (Entry entry : entries()) {
        text.append(text.length() > "Headers[".length() ? ", " : "")
            .append(entry.name())
            .append('=');
        text.append(entry.isBinary() ? entry.value().length + " bytes" : entry.text());
      }
    } catch (MalformedHeadersException e) {
      text.append("malformed, ").append(block.length).append(" bytes");
    }
    return text.append(']').toString();
  }
}
