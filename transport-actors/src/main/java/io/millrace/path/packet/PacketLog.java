package io.millrace.path.packet;

/** What loss recovery remembers of the packet that is being built. On the worker's thread. */
public interface PacketLog {
  /** Whether it takes another item. */
  boolean canAddItem();

  /** Items that it still takes. */
  int itemsLeft();

  /** Notes an item; the packet then asks for an acknowledgement. */
  void addItem(long item);

  /** Notes an item for which alone the packet need not be acknowledged. */
  void addQuietItem(long item);
}
