package io.millrace.handshake;

import io.millrace.crypto.HandshakeLimits;
import java.net.InetAddress;
import java.util.random.RandomGenerator;

/**
 * Decides whether the first message of a handshake is looked at, before the message costs any
 * cryptography: a token bucket for each prefix of source addresses, and a bucket for all. The
 * buckets are a table of fixed size. A prefix without a bucket takes over a bucket of its row, from
 * the prefix that asked for least, with the tokens left in the bucket. So a stranger with many
 * prefixes gains nothing.
 *
 * <p>The table, 64 KiB, is made when the first message comes: a node that nobody calls has no
 * table. Owned by the thread that accepts handshakes; not thread-safe. Time comes with each call.
 * The bucket is the only state kept of a stranger. Rule H-12.
 */
public final class SourceLimits {
  /** Prefixes that have a bucket at the same time. */
  static final int BUCKETS = 4_096;

  private static final int WAYS = 4;
  private static final int ROWS = BUCKETS / WAYS;
  private static final long SECOND_NS = 1_000_000_000L;
  private static final int IPV4_BYTES = 4;
  private static final int IPV4_PREFIX_BYTES = 3;
  private static final int IPV6_PREFIX_BYTES = 7;
  private static final int FAMILY_SHIFT = 56;
  private static final long MIXER = 0x9E3779B97F4A7C15L;

  private static final long[] NONE = {};

  /** Prefixes; 0 for a free bucket. Without entries until the first message. */
  private long[] prefixes = NONE;

  /** When the bucket of the same index will be full again, ns. */
  private long[] fullAtNs = NONE;

  private final long prefixTokenNs;
  private final long totalTokenNs;
  private final long salt;
  private long totalFullAtNs;
  private boolean asked;
  private long refused;

  /**
   * Full buckets for all.
   *
   * @param random makes which prefixes share a row a secret of this node
   */
  public SourceLimits(HandshakeLimits limits, RandomGenerator random) {
    prefixTokenNs = Math.max(1, SECOND_NS / limits.perPrefix());
    totalTokenNs = Math.max(1, SECOND_NS / limits.total());
    salt = random.nextLong();
  }

  /**
   * Takes a token for a first message from {@code source}; false without a token, and the message
   * is to be dropped without an answer.
   *
   * @param nowNs the time of a clock that does not go back
   */
  public boolean tryAcquire(InetAddress source, long nowNs) {
    if (!asked) {
      asked = true;
      totalFullAtNs = nowNs;
      prefixes = new long[BUCKETS];
      fullAtNs = new long[BUCKETS];
    }
    int bucket = bucketOf(prefixOf(source), nowNs);
    long prefixNextNs = afterToken(fullAtNs[bucket], prefixTokenNs, nowNs);
    long totalNextNs = afterToken(totalFullAtNs, totalTokenNs, nowNs);
    if (prefixNextNs - nowNs > SECOND_NS || totalNextNs - nowNs > SECOND_NS) {
      refused++;
      return false;
    }
    fullAtNs[bucket] = prefixNextNs;
    totalFullAtNs = totalNextNs;
    return true;
  }

  /** First messages that were not examined. */
  public long refused() {
    return refused;
  }

  private static long afterToken(long fullAtNs, long tokenNs, long nowNs) {
    return (fullAtNs - nowNs > 0 ? fullAtNs : nowNs) + tokenNs;
  }

  private int bucketOf(long prefix, long nowNs) {
    int first = rowOf(prefix) * WAYS;
    int fullest = first;
    for (int i = first; i < first + WAYS; i++) {
      if (prefixes[i] == prefix) {
        return i;
      }
      if (prefixes[i] == 0) {
        prefixes[i] = prefix;
        fullAtNs[i] = nowNs;
        return i;
      }
      if (fullAtNs[i] - fullAtNs[fullest] < 0) {
        fullest = i;
      }
    }
    prefixes[fullest] = prefix;
    return fullest;
  }

  private int rowOf(long prefix) {
    long mixed = (prefix ^ salt) * MIXER;
    mixed = (mixed ^ mixed >>> Integer.SIZE ^ salt) * MIXER;
    return (int) (mixed >>> Integer.SIZE) & ROWS - 1;
  }

  /**
   * The prefix of an address, /24 of IPv4 or /56 of IPv6, as a number: the family and the bytes of
   * the prefix. Never 0, and never the same for two prefixes.
   */
  public static long prefixOf(InetAddress source) {
    byte[] address = source.getAddress();
    boolean isIpv4 = address.length == IPV4_BYTES;
    int length = isIpv4 ? IPV4_PREFIX_BYTES : IPV6_PREFIX_BYTES;
    long prefix = isIpv4 ? 1 : 2;
    prefix <<= FAMILY_SHIFT - length * Byte.SIZE;
    for (int i = 0; i < length; i++) {
      prefix = prefix << Byte.SIZE | address[i] & 0xFF;
    }
    return prefix;
  }
}
