package io.millrace.path.packet;

/** The record that loss recovery makes of the packet under construction. On the worker's thread. */
public interface PacketLog {
  /** Whether the log takes another item. */
  boolean canAddItem();

  /** The number of items still accepted. */
  int itemsLeft();

  /** Notes an item; the packet then asks for an acknowledgement. */
  void addItem(long item);

  /** Notes an item that alone needs no acknowledgement of the packet. */
  void addQuietItem(long item);
}
