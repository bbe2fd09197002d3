package io.millrace.protocol.region;

import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides which of the receiver's granted tokens is used next, and which tokens are still good.
 * Tokens belong to the path, not to a transfer. A token is found by its key, which is never used
 * twice; a grant from before this side let go of its token changes nothing.
 *
 * <p>Owned by the path's worker. Time is passed in. Allocates for a new token only.
 */
public final class TokenCache {
  /** Slots are numbered below this. */
  public static final int MAX_SLOTS = 1 << 14;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final int maxTokens;
  private final Long2ObjectHashMap<WriteToken> tokens = new Long2ObjectHashMap<>();
  private final TokenBuckets ready = new TokenBuckets();
  private final @Nullable WriteToken[] slots;
  private final int[] freeSlots;
  private final FormerTokens former = new FormerTokens();
  private int freeCount;
  private int cachedCount;
  private long possessedBytes;
  private int newsBytes;
  private long usableBytes;

  /**
   * An empty cache.
   *
   * @param maxTokens the most tokens kept, up to {@link #MAX_SLOTS}; further tokens are left to the
   *     receiver, which revokes idle tokens
   */
  public TokenCache(int maxTokens) {
    if (maxTokens < 1 || maxTokens > MAX_SLOTS) {
      throw new IllegalArgumentException("maxTokens must be in 1.." + MAX_SLOTS + ": " + maxTokens);
    }
    this.maxTokens = maxTokens;
    slots = new WriteToken[maxTokens];
    freeSlots = new int[maxTokens];
    clear();
  }

  /** The packet of this number is being read: the packet's frames are told next. */
  public void onPacket(long packetNumber) {
    former.onPacket(packetNumber);
  }

  /**
   * The receiver granted a token, or more bytes of a known token.
   *
   * @return the token if the grant was news and the token can be used, else null
   */
  public @Nullable WriteToken onGrant(TokenGrant grant, long nowNs) {
    newsBytes = 0;
    final WriteToken known = tokens.get(grant.key());
    final WriteToken token =
        known == null ? create(grant) : known.region() == grant.region() ? known : null;
    if (token == null) {
      return null;
    }
    token.lifetime(grant.lifetimeMs() * NANOS_PER_MILLI, nowNs);
    if (known == null) {
      return token;
    }
    return update(token, grant) ? token : null;
  }

  private @Nullable WriteToken create(TokenGrant grant) {
    final int authorised = grant.authorisedBytes();
    if (freeCount == 0
        || former.isOutdated(grant.key())
        || grant.sizeBytes() <= 0
        || authorised < 0
        || authorised > grant.sizeBytes()
        || grant.fill() <= 0) {
      return null;
    }
    final int slot = freeSlots[--freeCount];
    final WriteToken token =
        new WriteToken(slot, grant.region(), grant.key(), grant.address(), grant.sizeBytes());
    token.remote(grant.endpoint(), grant.remoteKey());
    token.firstFill(grant.fill(), authorised);
    newsBytes = authorised;
    slots[slot] = token;
    tokens.put(token.key(), token);
    possessedBytes += token.sizeBytes();
    cache(token);
    assert invariantsHold();
    return token;
  }

  private boolean update(WriteToken token, TokenGrant grant) {
    if (grant.fill() != token.fill()) {
      newsBytes = token.ahead(grant.fill(), grant.authorisedBytes());
      return false;
    }
    final boolean isCached = token.state() == TokenState.CACHED;
    if (isCached) {
      uncache(token);
    }
    final int before = token.authorisedBytes();
    final boolean isMore = token.raise(grant.authorisedBytes());
    newsBytes = token.authorisedBytes() - before;
    if (isCached) {
      cache(token);
    }
    assert invariantsHold();
    return isMore;
  }

  /**
   * Takes a token for a write of {@code wantedBytes}: the smallest token with enough authorised
   * bytes, else the largest. Tokens that expire before the write can have arrived are dropped on
   * the way.
   *
   * @param marginNs how long a write takes to arrive
   * @return the token, now in use, or null without a usable token
   */
  public @Nullable WriteToken acquire(int wantedBytes, long nowNs, long marginNs) {
    WriteToken token = ready.bestFor(wantedBytes);
    while (token != null && token.isExpired(nowNs, marginNs)) {
      former.onExpired(token.key());
      drop(token);
      token = ready.bestFor(wantedBytes);
    }
    if (token != null) {
      uncache(token);
      token.move(TokenEvent.ACQUIRE);
    }
    assert invariantsHold();
    return token;
  }

  /** Nothing was written after all. */
  public void release(WriteToken token) {
    token.move(TokenEvent.RELEASE);
    token.clearUse();
    cache(token);
    assert invariantsHold();
  }

  /** All bytes of the fill were handed to the network. */
  public void onWritten(WriteToken token) {
    token.move(TokenEvent.WRITE_OUT);
  }

  /**
   * The receiver has taken a fill out of the region (TransferAck).
   *
   * @param authorisedNext bytes of the next fill that may be written now
   * @param isRevoked whether the region has no next fill
   * @param nowNs from when on the token's lifetime counts again
   * @return the token, cached again or gone, with its use still set: read the use and clear it
   *     before anything else. If the token is gone and {@link WriteToken#fill} is not this fill,
   *     then the token is at the next fill: the content of the token's use was not taken and must
   *     be written elsewhere. Null if the fill is not under way, as with a duplicate
   */
  public @Nullable WriteToken onConsumed(
      int region, int fill, long key, int authorisedNext, boolean isRevoked, long nowNs) {
    newsBytes = 0;
    if (isRevoked) {
      return onRevoked(region, key);
    }
    final WriteToken token = tokens.get(key);
    if (token == null
        || token.region() != region
        || token.fill() != fill
        || token.state() == TokenState.CACHED) {
      return null;
    }
    token.move(TokenEvent.REUSE);
    newsBytes = token.nextFill(Math.max(authorisedNext, 0));
    token.renew(nowNs);
    cache(token);
    assert invariantsHold();
    return token;
  }

  /**
   * The token is void: revoked, or a write under the token failed.
   *
   * @return the token, gone; the token's use, if any, holds the content to write elsewhere. Null if
   *     unknown
   */
  public @Nullable WriteToken onRevoked(int region, long key) {
    final WriteToken token = tokens.get(key);
    if (token != null && token.region() != region) {
      return null;
    }
    former.onVoid(key);
    if (token != null) {
      drop(token);
    }
    assert invariantsHold();
    return token;
  }

  /**
   * Bytes that the last grant or acknowledgement allows beyond the known bytes: both frames tell
   * the total that may be written, and are told again.
   */
  public int newsBytes() {
    return newsBytes;
  }

  /** The token in this slot, or null. */
  public @Nullable WriteToken bySlot(int slot) {
    return slot >= 0 && slot < maxTokens ? slots[slot] : null;
  }

  /** Sizes of the regions of all tokens, bytes. */
  public long possessedBytes() {
    return possessedBytes;
  }

  /** Bytes that may be written now under cached tokens. */
  public long usableBytes() {
    return usableBytes;
  }

  /** Tokens under which no fill is under way, whether or not anything is authorised. */
  public int cachedCount() {
    return cachedCount;
  }

  /** All tokens. */
  public int tokenCount() {
    return maxTokens - freeCount;
  }

  /** Forgets everything: the path is over. Uses are not cleared. */
  public void clear() {
    for (int slot = 0; slot < maxTokens; slot++) {
      final WriteToken token = slots[slot];
      if (token != null) {
        drop(token);
      }
    }
    for (int i = 0; i < maxTokens; i++) {
      freeSlots[i] = maxTokens - 1 - i;
    }
    freeCount = maxTokens;
    former.clear();
    assert invariantsHold();
  }

  private void cache(WriteToken token) {
    ready.add(token);
    cachedCount++;
    usableBytes += token.authorisedBytes();
  }

  private void uncache(WriteToken token) {
    ready.remove(token);
    cachedCount--;
    usableBytes -= token.authorisedBytes();
  }

  private void drop(WriteToken token) {
    if (token.state() == TokenState.CACHED) {
      uncache(token);
    }
    token.move(TokenEvent.VOID);
    tokens.remove(token.key());
    slots[token.slot()] = null;
    freeSlots[freeCount++] = token.slot();
    possessedBytes -= token.sizeBytes();
  }

  private boolean invariantsHold() {
    assert tokens.size() == maxTokens - freeCount;
    assert cachedCount >= 0 && cachedCount <= tokens.size();
    assert usableBytes >= 0 && usableBytes <= possessedBytes;
    return true;
  }
}
