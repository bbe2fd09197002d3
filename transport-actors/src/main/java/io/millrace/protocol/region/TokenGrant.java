package io.millrace.protocol.region;

/**
 * The values of a token in a RegionGrant frame, as decoded; the decoder fills the object again and
 * again.
 */
public final class TokenGrant {
  private int region;
  private int fill;
  private long key;
  private long address;
  private int sizeBytes;
  private int authorisedBytes;
  private long lifetimeMs;
  private int endpoint;
  private long remoteKey;

  /** Sets the region, and the fill of the region. */
  public TokenGrant of(int regionIndex, int fillNumber, long remoteKey) {
    region = regionIndex;
    fill = fillNumber;
    key = remoteKey;
    return this;
  }

  /**
   * Sets the region's place and the bytes that may be written.
   *
   * @param remoteAddress of the first byte
   * @param size of the region, bytes
   * @param authorised bytes of the fill that may be written now
   * @param lifetime from receipt, ms; 0 is without end
   */
  public TokenGrant with(long remoteAddress, int size, int authorised, long lifetime) {
    address = remoteAddress;
    sizeBytes = size;
    authorisedBytes = authorised;
    lifetimeMs = lifetime;
    return this;
  }

  /** Sets the receiver's endpoint, by its place in the receiver's advert, and its NIC's key. */
  public TokenGrant at(int place, long nicKey) {
    endpoint = place;
    remoteKey = nicKey;
    return this;
  }

  int region() {
    return region;
  }

  int fill() {
    return fill;
  }

  long key() {
    return key;
  }

  long address() {
    return address;
  }

  int sizeBytes() {
    return sizeBytes;
  }

  int authorisedBytes() {
    return authorisedBytes;
  }

  long lifetimeMs() {
    return lifetimeMs;
  }

  int endpoint() {
    return endpoint;
  }

  long remoteKey() {
    return remoteKey;
  }
}
