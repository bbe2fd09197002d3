package io.millrace.testkit.internal.net;

import io.millrace.testkit.internal.base.SimAddress;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2LongHashMap;

/**
 * Writes the events of a network as pcapng, for Wireshark and tcpdump. Times are virtual ns since
 * the start of the run. Each interface of a node ({@code n1-0}) is an interface of the capture,
 * with its sent and delivered datagrams. An interface called {@code lost} has the lost datagrams,
 * with the reason as a comment. Headers are made up (Ethernet, IPv4 without UDP checksum, {@link
 * SimAddress}). Owned by the opener; thread of the simulation. Throws {@link UncheckedIOException}
 * when a write fails.
 */
public final class PcapngCapture implements NetworkObserver, AutoCloseable {
  private static final long UNKNOWN = -1;
  private static final long LOST = 0;
  private static final int OUTBOUND = 2;
  private static final int INBOUND = 1;

  private final OutputStream out;
  private final PcapngBlocks blocks = new PcapngBlocks();
  private final Long2LongHashMap interfaces = new Long2LongHashMap(UNKNOWN);

  /** Begins a capture; takes over {@code out}, which should be buffered. */
  public PcapngCapture(OutputStream out) {
    this.out = out;
    blocks.section("millrace simulation");
    write();
    blocks.nic("lost");
    write();
  }

  private long number(SimAddress address) {
    long known = interfaces.get(address.nicKey());
    if (known == UNKNOWN) {
      blocks.nic("n" + address.node() + "-" + address.nic());
      write();
      known = LOST + 1 + interfaces.size();
      interfaces.put(address.nicKey(), known);
    }
    return known;
  }

  @Override
  public void onSent(PacketView packet, long nowNs) {
    blocks.packet(number(packet.source()), nowNs, packet, OUTBOUND, notes(packet));
    write();
  }

  @Override
  public void onDelivered(PacketView packet, long nowNs) {
    List<String> comments = new ArrayList<>();
    if (packet.isDuplicate()) {
      comments.add("second copy");
    }
    if (packet.isDamaged()) {
      comments.add("damaged");
    }
    blocks.packet(number(packet.destination()), nowNs, packet, INBOUND, comments);
    write();
  }

  @Override
  public void onLost(PacketView packet, LossReason reason, long nowNs) {
    blocks.packet(LOST, nowNs, packet, 0, List.of("lost: " + reason));
    write();
  }

  private static List<String> notes(PacketView packet) {
    List<FrameNote> notes = packet.notes();
    return notes.isEmpty() ? List.of() : notes.stream().map(FrameNote::toString).toList();
  }

  private void write() {
    try {
      out.write(blocks.array(), 0, blocks.length());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
