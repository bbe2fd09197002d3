package io.millrace.api;

import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.StreamCreditDecoder;
import io.millrace.wire.codec.StreamDataDecoder;
import java.nio.ByteOrder;
import java.util.List;
import java.util.TreeMap;
import org.agrona.DirectBuffer;

/** Reads the frames of streams in every packet before it is sealed. Simulation thread only. */
final class StreamWatch implements CipherObserver {
  private static final int RESPONSE = 1;

  private final TreeMap<Flow, Seen> flows = new TreeMap<>();

  /** One direction of a stream. */
  record Flow(long transferId, boolean isResponse) implements Comparable<Flow> {
    @Override
    public int compareTo(Flow other) {
      int ids = Long.compare(transferId, other.transferId);
      return ids == 0 ? Boolean.compare(isResponse, other.isResponse) : ids;
    }
  }

  /** The observations of a flow on the wire. */
  static final class Seen {
    long elements;
    long credit;
    long segments;
  }

  /** Returns the observations of the flow, empty for an unseen flow. */
  Seen of(Flow flow) {
    return flows.computeIfAbsent(flow, key -> new Seen());
  }

  /** Returns the flows with more seen elements than this number. */
  List<Flow> flowsBeyond(long elements) {
    return flows.keySet().stream().filter(flow -> of(flow).elements > elements).toList();
  }

  /** Returns the number of segments of these flows, repeated segments included. */
  long segments(List<Flow> some) {
    return some.stream().mapToLong(flow -> of(flow).segments).sum();
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    DirectBuffer buffer = packet.buffer();
    if (buffer.getByte(packet.offset()) == PacketHeader.FORM_CHUNKS) {
      return;
    }
    int end = packet.bodyOffset() + packet.bodyLength();
    int at = packet.bodyOffset();
    while (at + FrameStart.LENGTH <= end && FrameStart.frameLength(buffer, at) > 0) {
      read(buffer, at);
      at += FrameStart.frameLength(buffer, at);
    }
  }

  private void read(DirectBuffer buffer, int at) {
    int body = at + FrameStart.LENGTH;
    switch (FrameStart.templateId(buffer, at)) {
      case StreamDataDecoder.TEMPLATE_ID -> {
        Seen seen = of(flow(buffer, body, StreamDataDecoder.flagsEncodingOffset()));
        int count = buffer.getByte(body + StreamDataDecoder.BLOCK_LENGTH + 1) & 0xFF;
        long element = number(buffer, body + StreamDataDecoder.elementEncodingOffset());
        seen.elements = Math.max(seen.elements, element + count);
        seen.segments++;
      }
      case StreamCreditDecoder.TEMPLATE_ID -> {
        Seen seen = of(flow(buffer, body, StreamCreditDecoder.flagsEncodingOffset()));
        long elements = number(buffer, body + StreamCreditDecoder.elementsEncodingOffset());
        seen.credit = Math.max(seen.credit, elements);
      }
      default -> {}
    }
  }

  private static Flow flow(DirectBuffer buffer, int body, int flagsAt) {
    return new Flow(number(buffer, body), (buffer.getByte(body + flagsAt) & RESPONSE) != 0);
  }

  private static long number(DirectBuffer buffer, int at) {
    return buffer.getLong(at, ByteOrder.LITTLE_ENDIAN);
  }
}
