package io.millrace.driver;

import org.jspecify.annotations.Nullable;

/** The arguments of a one-sided write; reused by the owner, read by the driver during the post. */
public final class RemoteWrite {
  private @Nullable MemoryRegion source;
  private long sourceOffset;
  private long length;
  private long remoteAddress;
  private long remoteKey;
  private long immediate;
  private boolean hasImmediate;

  /**
   * Sets the source of the write: {@code length} bytes of {@code source} from {@code sourceOffset}
   * on.
   */
  public RemoteWrite source(MemoryRegion source, long sourceOffset, long length) {
    this.source = source;
    this.sourceOffset = sourceOffset;
    this.length = length;
    this.hasImmediate = false;
    return this;
  }

  /** Says where: the peer's region base plus offset, and its key. */
  public RemoteWrite target(long remoteAddress, long remoteKey) {
    this.remoteAddress = remoteAddress;
    this.remoteKey = remoteKey;
    return this;
  }

  /** Adds a value that the target's handler sees when the bytes are in place. */
  public RemoteWrite immediate(long immediate) {
    this.immediate = immediate;
    this.hasImmediate = true;
    return this;
  }

  /** The region to write from. */
  public MemoryRegion source() {
    MemoryRegion region = source;
    if (region == null) {
      throw new IllegalStateException("no source");
    }
    return region;
  }

  /** First byte in the source region. */
  public long sourceOffset() {
    return sourceOffset;
  }

  /** Bytes to write. */
  public long length() {
    return length;
  }

  /** Address at the target. */
  public long remoteAddress() {
    return remoteAddress;
  }

  /** Key at the target. */
  public long remoteKey() {
    return remoteKey;
  }

  /** The immediate value, meaningful if {@link #hasImmediate()}. */
  public long immediate() {
    return immediate;
  }

  /** Whether an immediate value goes with the write. */
  public boolean hasImmediate() {
    return hasImmediate;
  }
}
