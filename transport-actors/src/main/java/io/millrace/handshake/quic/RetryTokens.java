package io.millrace.handshake.quic;

import io.millrace.crypto.HmacSha256;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.quic.QuicTokenHandler;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Proves that a peer receives at the address of its datagrams, before this node remembers anything
 * of the peer or answers with more than a Retry packet. A token is the time of its making (8
 * bytes), an HMAC (16 bytes) over this time, the address, the port and the peer's first connection
 * id, and this id. The key is random and lives as long as the handshaker.
 *
 * <p>A token may be used again until the token is too old; the admission, asked after the check of
 * the token, bounds the cost of reuse. Event loop thread only.
 */
final class RetryTokens implements QuicTokenHandler, AutoCloseable {
  /** Bytes of the connection ids that this node chooses. */
  static final int CONNECTION_ID_BYTES = 20;

  private static final int MAC_BYTES = 16;
  private static final int FIXED_BYTES = Long.BYTES + MAC_BYTES;

  private final HmacSha256 mac;
  private final long lifetimeNs;
  private final LongSupplier clock;
  private final Predicate<InetSocketAddress> admission;

  /**
   * Tokens under a key of their own.
   *
   * @param mac under a random key; closed with the tokens
   * @param lifetimeNs how old a token may be, ns
   * @param admission whether a peer at a proven address may open a connection now
   */
  RetryTokens(
      HmacSha256 mac, long lifetimeNs, LongSupplier clock, Predicate<InetSocketAddress> admission) {
    this.mac = mac;
    this.lifetimeNs = lifetimeNs;
    this.clock = clock;
    this.admission = admission;
  }

  @Override
  public boolean writeToken(ByteBuf out, ByteBuf dcid, InetSocketAddress address) {
    byte[] first = bytes(dcid);
    long madeNs = clock.getAsLong();
    out.writeLong(madeNs).writeBytes(tag(madeNs, first, address)).writeBytes(first);
    return true;
  }

  @Override
  public TokenValidationResult validateToken(
      ByteBuf token, InetSocketAddress address, ByteBuf dcid) {
    // The codec takes as many bytes of the id as this node's own ids have, whatever has come.
    if (dcid.readableBytes() != CONNECTION_ID_BYTES) {
      return TokenValidationResult.invalidToken();
    }
    int offset = validateToken(token, address);
    return offset < 0
        ? TokenValidationResult.invalidToken()
        : TokenValidationResult.odcidFromToken(offset);
  }

  @Override
  public int validateToken(ByteBuf token, InetSocketAddress address) {
    int length = token.readableBytes();
    if (length <= FIXED_BYTES || length > maxTokenLength()) {
      return -1;
    }
    byte[] all = bytes(token);
    long madeNs = ByteBuffer.wrap(all).getLong();
    byte[] tag = Arrays.copyOfRange(all, Long.BYTES, FIXED_BYTES);
    byte[] first = Arrays.copyOfRange(all, FIXED_BYTES, length);
    long ageNs = clock.getAsLong() - madeNs;
    boolean right =
        MessageDigest.isEqual(tag, tag(madeNs, first, address)) && ageNs >= 0 && ageNs < lifetimeNs;
    return right && admission.test(address) ? FIXED_BYTES : -1;
  }

  @Override
  public int maxTokenLength() {
    return FIXED_BYTES + CONNECTION_ID_BYTES;
  }

  /** Overwrites the key. */
  @Override
  public void close() {
    mac.close();
  }

  private byte[] tag(long madeNs, byte[] first, InetSocketAddress address) {
    byte[] time = ByteBuffer.allocate(Long.BYTES).putLong(madeNs).array();
    byte[] host = address.getAddress().getAddress();
    byte[] port =
        ByteBuffer.allocate(Short.BYTES + 1)
            .putShort((short) address.getPort())
            .put((byte) host.length)
            .array();
    byte[] full = mac.tag(time, port, host, first);
    return Arrays.copyOf(full, MAC_BYTES);
  }

  private static byte[] bytes(ByteBuf buffer) {
    byte[] bytes = new byte[buffer.readableBytes()];
    buffer.getBytes(buffer.readerIndex(), bytes);
    return bytes;
  }
}
