package io.millrace.protocol.region;

import org.jspecify.annotations.Nullable;

/**
 * A region of the receiver's memory: the sender that may write the region, the key of these writes,
 * and the received bytes. Changed by the {@link RegionPool} only, on the worker's thread; the
 * region's identity is its index.
 */
public final class ReceiveRegion {
  /** Bytes of every record but the last of a body. */
  public static final int RECORD_BYTES = 64 * 1024;

  private final int index;
  private final int sizeBytes;
  private final int sizeClass;
  private final ReceivedRanges ranges = new ReceivedRanges();
  private final RegionStamps stamps = new RegionStamps();
  // Next and previous of each track.
  private final @Nullable ReceiveRegion[] links = new ReceiveRegion[2 * RegionList.TRACKS];
  private final @Nullable RegionList[] lists = new RegionList[RegionList.TRACKS];

  private RegionState state = RegionState.FREE;
  private @Nullable RegionHolder holder;
  private @Nullable Object attachment;
  private long key;
  private final Remote remote = new Remote();
  private boolean isAhead;
  private long badRecords;
  private boolean isSpoiled;
  private int priority;
  private int fill;
  private int authorisedBytes;
  private int notifiedBytes = -1;
  private int outstandingBytes;

  /** The region in the view of the peer's NIC. */
  private static final class Remote {
    private long address = WriteToken.CHUNKS_ONLY;
    private long key;
    private int endpoint;
  }

  ReceiveRegion(int index, int sizeClass, int sizeBytes) {
    this.index = index;
    this.sizeClass = sizeClass;
    this.sizeBytes = sizeBytes;
  }

  /** The index, unique in the pool. */
  public int index() {
    return index;
  }

  /** The region's length. */
  public int sizeBytes() {
    return sizeBytes;
  }

  /** The key of the current grant; void in {@link RegionState#REVOKING} and after. */
  public long key() {
    return key;
  }

  /**
   * The remote address of the first byte, as last given to {@link #remote}; at first {@link
   * WriteToken#CHUNKS_ONLY}.
   */
  public long address() {
    return remote.address;
  }

  /** The key that the NIC of {@link #endpoint()} knows; another NIC may have the same key. */
  public long remoteKey() {
    return remote.key;
  }

  /** Sets the place of the first byte for the NIC, and the NIC's key, as the driver says. */
  public void remote(long remoteAddress, long nicKey) {
    remote.address = remoteAddress;
    remote.key = nicKey;
  }

  /** The endpoint that the current grant is for; see {@link RegionHolder#endpoint()}. */
  public int endpoint() {
    return remote.endpoint;
  }

  /** The number of the use under this key, from 1. */
  public int fill() {
    return fill;
  }

  /** Bytes of this fill that may be written now; only grows. */
  public int authorisedBytes() {
    return authorisedBytes;
  }

  /** Bytes of this fill that have arrived, each counted once. */
  public int receivedBytes() {
    return ranges.totalBytes();
  }

  /** Length of this fill as the sender announced the fill, or -1 before the announcement. */
  public int notifiedBytes() {
    return notifiedBytes;
  }

  /** The state of the region. */
  public RegionState state() {
    return state;
  }

  /** Whether the region's key is good. */
  public boolean isGranted() {
    return state == RegionState.GRANTED
        || state == RegionState.WRITTEN
        || state == RegionState.CONSUMING;
  }

  /** Whether an application thread has the fill, whatever became of the region's key. */
  public boolean isRead() {
    return state == RegionState.CONSUMING || state == RegionState.REVOKING;
  }

  /** The holder of the region, also until the quarantine ends; null while free. */
  public @Nullable RegionHolder holder() {
    return holder;
  }

  /** The priority of the demand that the region was granted for. */
  public int priority() {
    return priority;
  }

  /** The time of the token's grant, ns. */
  public long grantedNs() {
    return stamps.grantedNs();
  }

  /** When new bytes last arrived under this key, ns; the time of the grant until then. */
  public long lastWriteNs() {
    return stamps.lastWriteNs();
  }

  /** The owner's object for this fill; forgotten when the fill ends. */
  public @Nullable Object attachment() {
    return attachment;
  }

  /** Hangs the owner's object on this fill. */
  public void attachment(@Nullable Object object) {
    attachment = object;
  }

  int sizeClass() {
    return sizeClass;
  }

  ReceivedRanges ranges() {
    return ranges;
  }

  /** Whether the region was granted ahead of need and nothing has been written yet. */
  public boolean isAhead() {
    return isAhead;
  }

  void ahead() {
    isAhead = true;
  }

  /** Bytes of this fill that the budget still counts. */
  int outstandingBytes() {
    return outstandingBytes;
  }

  void outstandingBytes(int bytes) {
    assert bytes >= 0 && bytes <= sizeBytes;
    outstandingBytes = bytes;
  }

  /** When its holder's token was last as good as new, ns: granted, used, or more was authorised. */
  long renewedNs() {
    return stamps.renewedNs();
  }

  void renewed(long nowNs) {
    stamps.renewed(nowNs);
  }

  /**
   * When the region last showed the holder's interest, or a look at the region last was in vain,
   * ns.
   */
  long activeNs() {
    return stamps.activeNs();
  }

  void activeNs(long nowNs) {
    stamps.active(nowNs);
  }

  void written(long nowNs) {
    stamps.written(nowNs);
    isAhead = false;
  }

  /** Records that wait for budget to be written again. */
  long badRecords() {
    return badRecords;
  }

  void badRecords(long records) {
    badRecords = records;
  }

  /** Whether the tag of a record of this fill was wrong. */
  public boolean isSpoiled() {
    return isSpoiled;
  }

  void spoil() {
    isSpoiled = true;
  }

  /** Bytes of a record of this fill that are missing. */
  int missingBytes(int record) {
    final int at = record * RECORD_BYTES;
    final int end = Math.min(at + RECORD_BYTES, notifiedBytes);
    return end - at - ranges.bytesBefore(end) + ranges.bytesBefore(at);
  }

  void move(RegionEvent event) {
    final RegionState next = RegionTransitions.next(state, event);
    if (next == null) {
      throw new IllegalStateException("region " + index + ": " + event + " while " + state);
    }
    state = next;
  }

  void grant(RegionHolder to, int atPriority, long newKey, long nowNs) {
    move(RegionEvent.GRANT);
    holder = to;
    priority = atPriority;
    key = newKey;
    remote.endpoint = to.endpoint();
    fill = 0;
    stamps.granted(nowNs);
    isAhead = false;
    nextFill();
  }

  void nextFill() {
    assert outstandingBytes == 0;
    fill++;
    authorisedBytes = 0;
    notifiedBytes = -1;
    badRecords = 0;
    isSpoiled = false;
    ranges.clear();
    attachment = null;
  }

  void authorise(int bytes) {
    assert bytes > 0 && notifiedBytes < 0 && authorisedBytes + bytes <= sizeBytes;
    authorisedBytes += bytes;
    outstandingBytes += bytes;
  }

  void notified(int lengthBytes) {
    notifiedBytes = lengthBytes;
  }

  void free() {
    move(RegionEvent.QUIESCE);
    holder = null;
    attachment = null;
  }

  /** Whether more of this fill could be authorised. */
  boolean isGrowable() {
    return notifiedBytes < 0
        && authorisedBytes < sizeBytes
        && (state == RegionState.GRANTED || state == RegionState.WRITTEN);
  }

  @Nullable ReceiveRegion link(int which) {
    return links[which];
  }

  void link(int which, @Nullable ReceiveRegion region) {
    links[which] = region;
  }

  @Nullable RegionList list(int track) {
    return lists[track];
  }

  void list(int track, @Nullable RegionList list) {
    lists[track] = list;
  }
}
