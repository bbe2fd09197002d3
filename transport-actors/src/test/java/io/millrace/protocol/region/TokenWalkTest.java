package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tokens of a real cache: every state with every input, legal inputs and illegal inputs. */
class TokenWalkTest {
  private static final int SIZE = 1_000;
  private static final int REGION = 7;
  private static final long KEY = 77;

  private TokenCache cache = new TokenCache(1);

  @ParameterizedTest
  @EnumSource(TokenState.class)
  void shouldFollowTheTableFromEveryState(TokenState from) {
    for (TokenEvent event : TokenEvent.values()) {
      cache = new TokenCache(1);
      WriteToken token = tokenIn(from);
      assertEquals(from, token.state());
      TokenState next = TokenTransitions.next(from, event);
      if (next == null) {
        assertThrows(IllegalStateException.class, () -> token.move(event), from + " " + event);
        assertEquals(from, token.state());
        refuse(token, event);
        assertEquals(from, token.state(), from + " " + event);
      } else {
        apply(token, event);
        assertEquals(next, token.state(), from + " " + event);
      }
      assertEquals(token.state() == TokenState.GONE ? 0 : 1, cache.tokenCount());
      assertEquals(token.state() == TokenState.CACHED ? 1 : 0, cache.cachedCount());
    }
  }

  private WriteToken tokenIn(TokenState state) {
    TokenGrant grant = new TokenGrant().of(REGION, 1, KEY).with(0, SIZE, SIZE, 0);
    WriteToken token = cache.onGrant(grant, 0);
    assertNotNull(token);
    if (state == TokenState.IN_USE || state == TokenState.WAIT_ACK) {
      assertSame(token, cache.acquire(SIZE, 0, 0));
    }
    if (state == TokenState.WAIT_ACK) {
      cache.onWritten(token);
    }
    if (state == TokenState.GONE) {
      cache.onRevoked(REGION, KEY);
    }
    return token;
  }

  private void apply(WriteToken token, TokenEvent event) {
    switch (event) {
      case ACQUIRE -> assertSame(token, cache.acquire(SIZE, 0, 0));
      case RELEASE -> cache.release(token);
      case WRITE_OUT -> cache.onWritten(token);
      case REUSE -> assertSame(token, cache.onConsumed(REGION, token.fill(), KEY, SIZE, false, 0));
      case VOID -> assertSame(token, cache.onRevoked(REGION, KEY));
    }
  }

  /** A wrong step of this side throws; the token ignores a peer's message out of turn. */
  private void refuse(WriteToken token, TokenEvent event) {
    switch (event) {
      case ACQUIRE -> assertNull(cache.acquire(SIZE, 0, 0));
      case RELEASE -> assertThrows(IllegalStateException.class, () -> cache.release(token));
      case WRITE_OUT -> assertThrows(IllegalStateException.class, () -> cache.onWritten(token));
      case REUSE -> assertNull(cache.onConsumed(REGION, token.fill(), KEY, SIZE, false, 0));
      case VOID -> assertNull(cache.onRevoked(REGION, KEY));
    }
  }
}
