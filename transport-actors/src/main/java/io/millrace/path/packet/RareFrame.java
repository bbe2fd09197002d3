package io.millrace.path.packet;

import io.millrace.protocol.transfer.OutboundFrame;

/**
 * A frame kept by its path until arrival, under a number of its own: two rare frames may speak of
 * the same fill or transfer. Worker's thread only.
 */
public abstract class RareFrame extends OutboundFrame {
  private long number;

  void number(long given) {
    number = given;
  }

  @Override
  public final int priority() {
    return 0;
  }

  @Override
  public final int costBytes() {
    return 0;
  }

  @Override
  public final int contentLength() {
    return 0;
  }

  @Override
  public final long item() {
    return PacketItems.of(PacketItems.RARE, number);
  }
}
