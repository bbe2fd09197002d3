package io.millrace.testkit.sim.net;

import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Carries what is known about a packet before it is sealed to those who see it afterwards. Whoever
 * seals writes notes against the native address of the packet's first byte in its send buffer; the
 * endpoint takes them when the buffer leaves, and they travel with the datagram.
 */
public final class PacketNotes {
  private final Long2ObjectHashMap<List<FrameNote>> byAddress = new Long2ObjectHashMap<>();

  PacketNotes() {}

  /** Adds a note on the packet that is being written at this native address. */
  public void annotate(long packetAddress, FrameNote note) {
    byAddress.computeIfAbsent(packetAddress, address -> new ArrayList<>()).add(note);
  }

  List<FrameNote> take(long packetAddress) {
    if (byAddress.isEmpty()) {
      return List.of();
    }
    List<FrameNote> notes = byAddress.remove(packetAddress);
    return notes == null ? List.of() : notes;
  }
}
