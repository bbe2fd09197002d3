package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenCacheTest {
  private static final int SIZE = 1_000;

  private final TokenCache cache = new TokenCache(100);
  private final TokenGrant grant = new TokenGrant();

  private @Nullable WriteToken grant(int region, int fill, long key, int authorised) {
    return cache.onGrant(grant.of(region, fill, key).with(4096, SIZE, authorised, 0), 0);
  }

  private WriteToken acquire(int wanted) {
    WriteToken token = cache.acquire(wanted, 0, 0);
    assertNotNull(token);
    return token;
  }

  @Test
  void shouldKeepWhatTheReceiverGranted() {
    WriteToken token = grant(7, 1, 77, 500);
    assertNotNull(token);
    assertEquals(7, token.region());
    assertEquals(77, token.key());
    assertEquals(4096, token.address());
    assertEquals(SIZE, token.sizeBytes());
    assertEquals(500, token.authorisedBytes());
    assertEquals(Long.MAX_VALUE, token.expiresNs());
    assertSame(token, cache.bySlot(token.slot()));
    assertEquals(SIZE, cache.possessedBytes());
    assertEquals(500, cache.usableBytes());
    assertEquals(1, cache.cachedCount());
  }

  @Test
  void shouldTakeALargerAuthorisationAndIgnoreRepetitionsAndOlderOnes() {
    WriteToken token = grant(7, 1, 77, 500);
    assertNull(grant(7, 1, 77, 500));
    assertNull(grant(7, 1, 77, 400));
    assertNull(grant(8, 1, 77, 900), "another region under this key");
    assertSame(token, grant(7, 1, 77, 800));
    assertNull(grant(7, 1, 77, SIZE + 1));
    assertEquals(800, cache.usableBytes());
    WriteToken used = acquire(1);
    cache.onWritten(used);
    cache.onConsumed(7, 1, 77, 100, false, 0);
    assertNull(grant(7, 1, 77, SIZE), "an older fill");
    assertEquals(100, cache.usableBytes());
    assertEquals(1, cache.tokenCount());
  }

  @Test
  void shouldTakeTheSmallestThatHoldsItElseTheLargest() {
    int[] authorised = {100, 700, 0, 300, 320, 900};
    for (int i = 0; i < authorised.length; i++) {
      grant(i, 1, 70 + i, authorised[i]);
    }
    assertEquals(300, acquire(290).authorisedBytes());
    assertEquals(320, acquire(290).authorisedBytes());
    assertEquals(700, acquire(290).authorisedBytes());
    assertEquals(900, acquire(5_000).authorisedBytes());
    assertEquals(100, acquire(5_000).authorisedBytes());
    assertNull(cache.acquire(1, 0, 0), "nothing is authorised under the last one");
    assertEquals(1, cache.cachedCount());
    grant(2, 1, 72, 50);
    assertEquals(50, acquire(1).authorisedBytes());
  }

  @Test
  void shouldPassThroughAFillAndBeCachedForTheNext() {
    grant(7, 1, 77, 500);
    WriteToken token = acquire(400);
    token.use("fill");
    assertEquals(TokenState.IN_USE, token.state());
    assertEquals(0, cache.usableBytes());
    cache.onWritten(token);
    assertEquals(TokenState.WAIT_ACK, token.state());
    assertNull(cache.onConsumed(7, 2, 77, 600, false, 0));
    assertNull(cache.onConsumed(8, 1, 77, 600, false, 0));
    assertNull(cache.onConsumed(7, 1, 78, 600, false, 0));
    assertSame(token, cache.onConsumed(7, 1, 77, 600, false, 0));
    assertEquals("fill", token.use());
    token.clearUse();
    assertNull(token.use());
    assertEquals(TokenState.CACHED, token.state());
    assertEquals(2, token.fill());
    assertEquals(600, token.authorisedBytes());
    assertNull(cache.onConsumed(7, 1, 77, 900, false, 0), "a duplicate");
    assertNull(cache.onConsumed(7, 2, 77, 900, false, 0), "nothing was written");
    assertEquals(600, cache.usableBytes());
  }

  @Test
  void shouldBeTakenOutWhileItsOwnerStillWrites() {
    grant(7, 1, 77, 500);
    WriteToken token = acquire(400);
    assertSame(token, cache.onConsumed(7, 1, 77, 0, false, 0));
    assertEquals(TokenState.CACHED, token.state());
    assertNull(cache.acquire(1, 0, 0));
    assertThrows(IllegalStateException.class, () -> cache.onWritten(token));
  }

  @Test
  void shouldRememberAnAuthorisationThatOvertookTheAcknowledgement() {
    grant(7, 1, 77, 500);
    WriteToken token = acquire(400);
    assertNull(grant(7, 2, 77, 300));
    assertNull(grant(7, 2, 77, 200));
    assertNull(grant(7, 3, 77, 900));
    assertEquals(500, token.authorisedBytes());
    cache.onConsumed(7, 1, 77, 100, false, 0);
    assertEquals(300, token.authorisedBytes());
    assertSame(token, acquire(1));
    cache.onConsumed(7, 2, 77, 0, false, 0);
    assertEquals(0, token.authorisedBytes());
  }

  @Test
  void shouldReturnAnUnusedToken() {
    grant(7, 1, 77, 500);
    WriteToken token = acquire(400);
    token.use("fill");
    cache.release(token);
    assertNull(token.use());
    assertEquals(1, token.fill());
    assertEquals(500, cache.usableBytes());
    assertThrows(IllegalStateException.class, () -> cache.release(token));
    assertThrows(IllegalStateException.class, () -> cache.onWritten(token));
    assertSame(token, acquire(1));
  }

  @Test
  void shouldDropARevokedTokenAndNotTakeALateGrantOfItsKey() {
    grant(7, 1, 77, 500);
    WriteToken token = acquire(400);
    token.use("fill");
    assertNull(cache.onRevoked(8, 77));
    assertSame(token, cache.onRevoked(7, 77));
    assertEquals("fill", token.use());
    assertEquals(TokenState.GONE, token.state());
    assertNull(cache.bySlot(token.slot()));
    assertNull(cache.onRevoked(7, 77));
    assertNull(grant(7, 1, 77, 900));
    assertEquals(0, cache.tokenCount());
    assertEquals(0, cache.possessedBytes());
    assertNull(cache.onRevoked(9, 99), "the revocation overtook the grant");
    assertNull(grant(9, 1, 99, 900));
    assertNotNull(grant(7, 1, 78, 900), "a new key of the same region");
  }

  /**
   * The receiver took the first fill out: a second write of the fill would look like a taken fill.
   */
  @Test
  void shouldNotTakeUpAnExpiredTokenAsItWasBefore() {
    cache.onPacket(5);
    cache.onGrant(grant.of(7, 1, 77).with(0, SIZE, 500, 3), 0);
    cache.onWritten(acquire(400));
    cache.onPacket(8);
    cache.onConsumed(7, 1, 77, 500, false, 0);
    assertNull(cache.acquire(400, 3_000_000, 0), "expired");
    cache.onPacket(7);
    assertNull(grant(7, 1, 77, 500));
    assertNull(cache.onConsumed(7, 1, 77, 0, true, 0));
    assertEquals(0, cache.tokenCount());
  }

  @Test
  void shouldTakeUpAnExpiredTokenThatIsGrantedAgain() {
    cache.onPacket(8);
    cache.onGrant(grant.of(7, 4, 77).with(0, SIZE, 500, 3), 0);
    assertNull(cache.acquire(400, 3_000_000, 0), "expired");
    cache.onPacket(9);
    WriteToken token = grant(7, 4, 77, 600);
    assertNotNull(token);
    assertEquals(4, token.fill());
    assertSame(token, cache.onRevoked(7, 77));
    cache.onPacket(10);
    assertNull(grant(7, 4, 77, 600), "void for good");
  }

  @Test
  void shouldIgnoreOldGrantsOnceItHasForgottenWhichTokensItHad() {
    cache.onPacket(20);
    assertNull(cache.onRevoked(7, 77));
    cache.onPacket(30);
    for (int i = 1; i < FormerTokens.REMEMBERED; i++) {
      cache.onRevoked(i, 1_000 + i);
    }
    cache.onPacket(10);
    assertNull(grant(7, 1, 77, 500), "known by its key");
    assertNotNull(grant(8, 1, 88, 500), "that it was never here is known");
    cache.onPacket(31);
    cache.onRevoked(9, 99);
    cache.onPacket(11);
    assertNull(grant(7, 1, 77, 500), "it may have been here");
    assertNull(grant(6, 1, 66, 500), "so may this");
    cache.onPacket(21);
    assertNotNull(grant(6, 1, 66, 500), "from after that");
    assertNull(grant(1, 1, 1_001, 500));
  }

  @Test
  void shouldTellFromARevocationWhetherTheLastFillWasTaken() {
    grant(7, 1, 77, 500);
    WriteToken taken = acquire(400);
    assertSame(taken, cache.onConsumed(7, 1, 77, 0, true, 0));
    assertEquals(1, taken.fill());
    assertEquals(TokenState.GONE, taken.state());
    grant(8, 1, 88, 500);
    WriteToken lost = acquire(400);
    cache.onConsumed(8, 1, 88, 500, false, 0);
    assertSame(lost, acquire(400));
    assertSame(lost, cache.onConsumed(8, 1, 88, 0, true, 0));
    assertEquals(2, lost.fill());
    assertEquals(TokenState.GONE, lost.state());
  }

  @Test
  void shouldDropExpiredTokensWhenTheyWouldBeUsed() {
    cache.onGrant(grant.of(1, 1, 11).with(0, SIZE, 500, 3), 1_000);
    cache.onGrant(grant.of(2, 1, 22).with(0, SIZE, 600, 0), 1_000);
    WriteToken first = cache.acquire(400, 3_000_999, 0);
    assertNotNull(first);
    assertEquals(1, first.region());
    assertEquals(3_001_000, first.expiresNs());
    cache.release(first);
    WriteToken second = cache.acquire(400, 3_001_000, 0);
    assertNotNull(second);
    assertEquals(2, second.region());
    assertEquals(TokenState.GONE, first.state());
    assertEquals(1, cache.tokenCount());
  }

  @Test
  void shouldNotBeginAWriteThatWouldArriveTooLate() {
    cache.onGrant(grant.of(1, 1, 11).with(0, SIZE, 500, 8), 0);
    WriteToken token = cache.acquire(400, 6_999_999, 1_000_000);
    assertNotNull(token);
    cache.release(token);
    assertNull(cache.acquire(400, 7_000_000, 1_000_000));
    cache.onGrant(grant.of(2, 1, 22).with(0, SIZE, 500, 8), 0);
    assertNotNull(cache.acquire(400, 5_999_999, 9_000_000), "a quarter of its life at most");
  }

  @Test
  void shouldLiveOnWithEachUse() {
    cache.onGrant(grant.of(1, 1, 11).with(0, SIZE, 500, 8), 0);
    WriteToken token = cache.acquire(400, 0, 0);
    assertNotNull(token);
    cache.onGrant(grant.of(1, 1, 11).with(0, SIZE, 600, 2), 1_000_000);
    assertEquals(3_000_000, token.expiresNs());
    assertSame(token, cache.onConsumed(1, 1, 11, 500, false, 5_000_000));
    assertEquals(13_000_000, token.expiresNs(), "as long as when it was new");
    cache.onGrant(grant.of(2, 1, 22).with(0, SIZE, 900, 0), 0);
    WriteToken endless = cache.acquire(800, 0, 0);
    assertNotNull(endless);
    cache.onConsumed(2, 1, 22, 900, false, 5);
    assertEquals(Long.MAX_VALUE, endless.expiresNs());
  }

  @Test
  void shouldRefuseGrantsThatCannotBe() {
    assertNull(cache.onGrant(grant.of(1, 1, 11).with(0, 0, 0, 0), 0));
    assertNull(cache.onGrant(grant.of(1, 1, 11).with(0, -5, 0, 0), 0));
    assertNull(cache.onGrant(grant.of(1, 1, 11).with(0, 10, 11, 0), 0));
    assertNull(cache.onGrant(grant.of(1, 1, 11).with(0, 10, -1, 0), 0));
    assertNull(cache.onGrant(grant.of(1, 0, 11).with(0, 10, 10, 0), 0));
    assertEquals(0, cache.tokenCount());
  }

  @Test
  void shouldKeepNoMoreThanItsLimitAndUseSlotsAgain() {
    for (int i = 0; i < 100; i++) {
      assertNotNull(grant(i, 1, i + 1, 10));
    }
    assertNull(grant(100, 1, 101, 10));
    WriteToken gone = cache.onRevoked(40, 41);
    assertNotNull(gone);
    WriteToken token = grant(100, 1, 101, 10);
    assertNotNull(token);
    assertEquals(gone.slot(), token.slot());
    assertNull(cache.bySlot(-1));
    assertNull(cache.bySlot(100));
    cache.clear();
    assertEquals(0, cache.tokenCount());
    assertEquals(0, cache.usableBytes());
    assertEquals(TokenState.GONE, token.state());
    assertThrows(IllegalArgumentException.class, () -> new TokenCache(TokenCache.MAX_SLOTS + 1));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldKeepItsSumsWhateverHappens(long seed) {
    Random random = new Random(seed);
    List<WriteToken> used = new ArrayList<>();
    long nextKey = 1;
    for (int step = 0; step < 50_000; step++) {
      int region = random.nextInt(150);
      long key = Math.max(1, nextKey - random.nextInt(120));
      WriteToken any = used.isEmpty() ? null : used.get(random.nextInt(used.size()));
      switch (random.nextInt(8)) {
        case 0, 1 -> grant(region, 1, nextKey++, random.nextInt(SIZE + 1));
        case 2, 3 -> {
          WriteToken token = cache.acquire(1 + random.nextInt(SIZE), 0, 0);
          if (token != null) {
            assertTrue(token.authorisedBytes() > 0);
            used.add(token);
          }
        }
        case 4 -> {
          if (any != null && any.state() == TokenState.IN_USE) {
            cache.onWritten(any);
          }
        }
        case 5 -> {
          if (any != null) {
            grant(any.region(), any.fill() + random.nextInt(2), any.key(), random.nextInt(SIZE));
            cache.onConsumed(
                any.region(),
                any.fill(),
                any.key(),
                random.nextInt(SIZE),
                random.nextInt(5) == 0,
                0);
          }
        }
        case 6 ->
            cache.onRevoked(any == null ? region : any.region(), any == null ? key : any.key());
        default -> {
          if (any != null && any.state() == TokenState.IN_USE) {
            cache.release(any);
          }
        }
      }
      used.removeIf(
          token -> token.state() == TokenState.CACHED || token.state() == TokenState.GONE);
      assertSums(seed, step);
    }
  }

  private void assertSums(long seed, int step) {
    long possessed = 0;
    long usable = 0;
    int cached = 0;
    for (int slot = 0; slot < 100; slot++) {
      WriteToken token = cache.bySlot(slot);
      if (token != null) {
        assertEquals(slot, token.slot());
        possessed += token.sizeBytes();
        if (token.state() == TokenState.CACHED) {
          usable += token.authorisedBytes();
          cached++;
        }
      }
    }
    String where = "seed " + seed + " step " + step;
    assertEquals(possessed, cache.possessedBytes(), where);
    assertEquals(usable, cache.usableBytes(), where);
    assertEquals(cached, cache.cachedCount(), where);
  }

  /** A repeated or cumulative authorisation counts its bytes once. */
  @Test
  void shouldTellHowMuchOfAnAuthorisationIsNews() {
    grant(7, 1, 77, 500);
    assertEquals(500, cache.newsBytes());
    grant(7, 1, 77, 500);
    assertEquals(0, cache.newsBytes());
    grant(7, 1, 77, 800);
    assertEquals(300, cache.newsBytes());
    grant(7, 1, 77, SIZE + 1);
    assertEquals(0, cache.newsBytes());
    WriteToken used = acquire(800);
    grant(7, 2, 77, 200);
    assertEquals(200, cache.newsBytes(), "of the next fill");
    grant(7, 2, 77, 200);
    assertEquals(0, cache.newsBytes());
    cache.onWritten(used);
    cache.onConsumed(7, 1, 77, 350, false, 0);
    assertEquals(150, cache.newsBytes());
    cache.onConsumed(7, 1, 77, 350, false, 0);
    assertEquals(0, cache.newsBytes(), "an acknowledgement that comes again");
    cache.onConsumed(7, 2, 77, 0, true, 0);
    assertEquals(0, cache.newsBytes());
  }
}
