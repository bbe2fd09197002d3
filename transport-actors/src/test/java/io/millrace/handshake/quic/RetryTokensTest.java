package io.millrace.handshake.quic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.HmacSha256;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RetryTokensTest {
  private static final long LIFETIME_NS = 1_000;
  private static final InetSocketAddress PEER = new InetSocketAddress("192.0.2.7", 4_000);
  private static final byte[] FIRST_ID = {1, 2, 3, 4, 5, 6, 7, 8};

  private final List<InetSocketAddress> asked = new ArrayList<>();
  private long nowNs = Long.MAX_VALUE - 10;
  private boolean welcome = true;
  private final RetryTokens tokens = tokens((byte) 1);

  private RetryTokens tokens(byte key) {
    return new RetryTokens(
        HmacSha256.ofDerived(new byte[] {key}),
        LIFETIME_NS,
        () -> nowNs,
        address -> {
          asked.add(address);
          return welcome;
        });
  }

  private static ByteBuf ownId() {
    return Unpooled.wrappedBuffer(new byte[RetryTokens.CONNECTION_ID_BYTES]);
  }

  private ByteBuf issued(byte[] firstId) {
    ByteBuf out = Unpooled.buffer(tokens.maxTokenLength(), tokens.maxTokenLength());
    assertTrue(tokens.writeToken(out, Unpooled.wrappedBuffer(firstId), PEER));
    return out;
  }

  private boolean isValid(RetryTokens by, ByteBuf token, InetSocketAddress from) {
    return by.validateToken(token, from, ownId()).isValid();
  }

  @Test
  void shouldTakeItsTokenBackFromTheSameAddress() {
    ByteBuf token = issued(FIRST_ID);
    nowNs += LIFETIME_NS - 1;
    assertTrue(isValid(tokens, token, PEER));
    int offset = tokens.validateToken(token, PEER);
    assertEquals(
        Unpooled.wrappedBuffer(FIRST_ID), token.slice(offset, token.readableBytes() - offset));
    assertTrue(isValid(tokens, issued(new byte[RetryTokens.CONNECTION_ID_BYTES]), PEER));
  }

  @Test
  void shouldTakeNoTokenFromElsewhereOrTooOldOrOfAnother() {
    ByteBuf token = issued(FIRST_ID);
    assertFalse(isValid(tokens, token, new InetSocketAddress("192.0.2.8", 4_000)));
    assertFalse(isValid(tokens, token, new InetSocketAddress("192.0.2.7", 4_001)));
    assertFalse(isValid(tokens((byte) 2), token, PEER));
    nowNs += LIFETIME_NS;
    assertFalse(isValid(tokens, token, PEER));
    nowNs -= LIFETIME_NS + 1;
    assertFalse(isValid(tokens, token, PEER), "made later than now");
    assertEquals(List.of(), asked, "only proved addresses count");
  }

  @Test
  void shouldTakeNoDamagedToken() {
    byte[] good = new byte[issued(FIRST_ID).readableBytes()];
    issued(FIRST_ID).readBytes(good);
    for (int i = 0; i < good.length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= 1;
      assertFalse(isValid(tokens, Unpooled.wrappedBuffer(bad), PEER), "byte " + i);
    }
    for (int length = 0; length < good.length; length++) {
      assertFalse(isValid(tokens, Unpooled.wrappedBuffer(good, 0, length), PEER));
    }
    assertFalse(isValid(tokens, Unpooled.wrappedBuffer(new byte[2_000]), PEER));
    assertTrue(isValid(tokens, Unpooled.wrappedBuffer(good), PEER));
  }

  @Test
  void shouldTakeNoTokenWithAnotherIdThanThisNodeChose() {
    ByteBuf token = issued(FIRST_ID);
    for (int length = 0; length < RetryTokens.CONNECTION_ID_BYTES; length++) {
      ByteBuf id = Unpooled.wrappedBuffer(new byte[length]);
      assertFalse(tokens.validateToken(token, PEER, id).isValid());
    }
  }

  @Test
  void shouldAskWhetherThePeerIsWelcome() {
    ByteBuf token = issued(FIRST_ID);
    welcome = false;
    assertFalse(isValid(tokens, token, PEER));
    assertEquals(List.of(PEER), asked);
  }
}
