package io.millrace.protocol.region;

import org.jspecify.annotations.Nullable;

/**
 * The receiver's permission for this side to write: a region, its key, and the bytes of the next
 * fill that may be written now. Changed by its {@link TokenCache} only, on the worker's thread.
 */
public final class WriteToken {
  /** {@link #address} of a region that takes chunks and no one-sided writes. */
  public static final long CHUNKS_ONLY = -1;

  // A margin takes no more of a lifetime, or a short lifetime would be over from the start.
  private static final int MARGIN_PART = 4;

  private final int slot;
  private final int region;
  private final long key;
  private final long address;
  private final int sizeBytes;

  private TokenState state = TokenState.CACHED;
  private int endpoint;
  private long remoteKey;
  private @Nullable Object use;
  private int fill;
  private int authorisedBytes;
  private int aheadFill;
  private int aheadBytes;
  private boolean isEndless;
  private long lifetimeNs;
  private long expiresNs;
  private int bucket = -1;
  private @Nullable WriteToken next;
  private @Nullable WriteToken previous;

  WriteToken(int slot, int region, long key, long address, int sizeBytes) {
    this.slot = slot;
    this.region = region;
    this.key = key;
    this.address = address;
    this.sizeBytes = sizeBytes;
  }

  /** The token's place in the cache, 0 to 16,383; another token's place once this token is gone. */
  public int slot() {
    return slot;
  }

  /** The region's index at the receiver's worker. */
  public int region() {
    return region;
  }

  /** The name of the grant, never used again. */
  public long key() {
    return key;
  }

  /** The remote address of the first byte; 0 with offset addressing, or {@link #CHUNKS_ONLY}. */
  public long address() {
    return address;
  }

  /** The place of the receiver's endpoint that takes the writes, in the receiver's advert. */
  public int endpoint() {
    return endpoint;
  }

  /** The key that the NIC of {@link #endpoint()} knows. */
  public long remoteKey() {
    return remoteKey;
  }

  void remote(int place, long nicKey) {
    endpoint = place;
    remoteKey = nicKey;
  }

  /** Length of the region. */
  public int sizeBytes() {
    return sizeBytes;
  }

  /** The fill that is being written or, while cached, comes next. */
  public int fill() {
    return fill;
  }

  /** Bytes of {@link #fill} that may be written now. */
  public int authorisedBytes() {
    return authorisedBytes;
  }

  /** The state of the token. */
  public TokenState state() {
    return state;
  }

  /** The owner's fill with this token; see {@link #use(Object)}. */
  public @Nullable Object use() {
    return use;
  }

  /** Notes the owner's fill with this token. */
  public void use(Object fillOfOwner) {
    use = fillOfOwner;
  }

  /** Forgets the owner's fill with this token. */
  public void clearUse() {
    use = null;
  }

  /** The time when the token becomes void by itself, ns; {@link Long#MAX_VALUE} if never. */
  public long expiresNs() {
    return isEndless ? Long.MAX_VALUE : expiresNs;
  }

  /** Whether the token expires before a write of this travel time can arrive. */
  boolean isExpired(long nowNs, long marginNs) {
    return !isEndless && nowNs + Math.min(marginNs, lifetimeNs / MARGIN_PART) - expiresNs >= 0;
  }

  /** Sets the time for which the token is good from now on without a use, ns; 0 is without end. */
  void lifetime(long fromNowNs, long nowNs) {
    isEndless = fromNowNs == 0;
    lifetimeNs = Math.max(lifetimeNs, fromNowNs);
    expiresNs = nowNs + fromNowNs;
  }

  /** The token was used: the token is good for its full lifetime again. */
  void renew(long nowNs) {
    expiresNs = nowNs + lifetimeNs;
  }

  void move(TokenEvent event) {
    final TokenState to = TokenTransitions.next(state, event);
    if (to == null) {
      throw new IllegalStateException("token of region " + region + ": " + event + " in " + state);
    }
    state = to;
  }

  void firstFill(int number, int bytes) {
    fill = number;
    authorisedBytes = bytes;
  }

  /** The current fill may be this long; false if that is no news. */
  boolean raise(int bytes) {
    final boolean isMore = bytes > authorisedBytes && bytes <= sizeBytes;
    if (isMore) {
      authorisedBytes = bytes;
    }
    return isMore;
  }

  /**
   * These bytes of the next fill may be written; the end of the current fill is not known yet.
   *
   * @return the number of new bytes among them
   */
  int ahead(int number, int bytes) {
    if (number != fill + 1 || bytes > sizeBytes) {
      return 0;
    }
    final int before = aheadOf(number);
    aheadBytes = Math.max(before, bytes);
    aheadFill = number;
    return aheadBytes - before;
  }

  private int aheadOf(int number) {
    return number == aheadFill ? aheadBytes : 0;
  }

  /**
   * The fill was taken out; these bytes of the next fill may be written.
   *
   * @return the number of new bytes among them
   */
  int nextFill(int bytes) {
    fill++;
    authorisedBytes = Math.max(Math.min(bytes, sizeBytes), aheadOf(fill));
    return authorisedBytes - aheadOf(fill);
  }

  int bucket() {
    return bucket;
  }

  void bucket(int number) {
    bucket = number;
  }

  @Nullable WriteToken next() {
    return next;
  }

  void next(@Nullable WriteToken token) {
    next = token;
  }

  @Nullable WriteToken previous() {
    return previous;
  }

  void previous(@Nullable WriteToken token) {
    previous = token;
  }
}
