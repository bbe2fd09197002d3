package io.millrace.testkit.internal.net;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.millrace.testkit.sim.FrameType;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Carries the knowledge about a packet before sealing to observers of the sealed packet. The sender
 * and the clear header identify a packet, because no other packet ever has the same. So a copy has
 * the notes of the original in every buffer, and a reused buffer has no notes of its former packet.
 * A sealed packet that was not sent is forgotten after {@value #REMEMBERED} more packets. Messages
 * of a handshake are not sealed and need no notes. The class does nothing until an observer wants
 * notes. Simulation thread only.
 */
public final class PacketNotes {
  private static final int REMEMBERED = 4_096;
  private static final int HANDSHAKE_ENVELOPE = 2;

  // Looked up and forgotten in the order of adding, never walked.
  private final LinkedHashMap<Sealed, List<FrameNote>> sealed = new LinkedHashMap<>();
  private boolean isWanted;

  /** The sender and the three words of a clear header. */
  private record Sealed(int node, long start, long path, long number) {
    static Sealed of(int node, DirectBuffer packet, int at) {
      return new Sealed(
          node,
          packet.getLong(at),
          packet.getLong(at + Long.BYTES),
          packet.getLong(at + 2 * Long.BYTES));
    }
  }

  PacketNotes() {}

  /** Collects notes from now on. */
  public void want() {
    isWanted = true;
  }

  /** Whether an observer wants notes. */
  public boolean isWanted() {
    return isWanted;
  }

  /** Number of packets with remembered notes. */
  int remembered() {
    return sealed.size();
  }

  /**
   * A node is about to seal a packet.
   *
   * @param bodyOffset offset of the plain body
   */
  public void onSealed(
      int node, DirectBuffer packet, int packetOffset, int bodyOffset, int bodyLength) {
    if (!isWanted) {
      return;
    }
    List<FrameNote> notes = new ArrayList<>();
    int end = bodyOffset + bodyLength;
    int at = bodyOffset;
    while (at + FrameStart.LENGTH <= end && FrameStart.frameLength(packet, at) > 0) {
      addNote(packet, at, end, notes);
      at += FrameStart.frameLength(packet, at);
    }
    sealed.put(Sealed.of(node, packet, packetOffset), notes);
    if (sealed.size() > REMEMBERED) {
      sealed.pollFirstEntry();
    }
  }

  private static void addNote(DirectBuffer packet, int at, int end, List<FrameNote> notes) {
    FrameType type = FrameType.of(FrameStart.templateId(packet, at));
    if (type != null && at + FrameStart.LENGTH + FrameStart.blockLength(packet, at) <= end) {
      notes.add(note(type, packet, at));
    }
  }

  /** Returns the notes about a datagram, or a message of a fabric, that a node sends. */
  public List<FrameNote> of(int node, DirectBuffer bytes, int length) {
    if (!isWanted || length < PacketHeader.LENGTH) {
      return List.of();
    }
    if (bytes.getByte(0) != PacketHeader.FORM_HANDSHAKE) {
      return sealed.getOrDefault(Sealed.of(node, bytes, 0), List.of());
    }
    List<FrameNote> notes = new ArrayList<>();
    addNote(bytes, HANDSHAKE_ENVELOPE, length, notes);
    return notes;
  }

  private static FrameNote note(FrameType type, DirectBuffer packet, int at) {
    long subject =
        type.subjectOffset() < 0
            ? FrameNote.NO_SUBJECT
            : packet.getLong(at + FrameStart.LENGTH + type.subjectOffset(), LITTLE_ENDIAN);
    return new FrameNote(type, subject);
  }
}
