package io.millrace.testkit.internal.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.sim.FrameType;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.ProbeEncoder;
import io.millrace.wire.codec.PskReplyEncoder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Notes belong to the observed packet, and to no other packet. */
final class PacketNotesTest {
  private static final long PATH = 77;
  private static final int PROBE_LENGTH = FrameStart.LENGTH + ProbeEncoder.BLOCK_LENGTH;

  private final PacketNotes notes = new PacketNotes();
  private final SegmentBuffer buffer = new SegmentBuffer(new byte[400]);
  private int end = PacketHeader.LENGTH;

  private PacketNotesTest header(long number) {
    buffer.setMemory(0, buffer.capacity(), (byte) 0);
    PacketHeader.encodeFixed(buffer, 0, 0, 0, PATH);
    PacketHeader.encodeNumber(buffer, 0, 0, number);
    end = PacketHeader.LENGTH;
    return this;
  }

  private PacketNotesTest probe(long id) {
    FrameStart.encode(
        buffer, end, PROBE_LENGTH, ProbeEncoder.BLOCK_LENGTH, ProbeEncoder.TEMPLATE_ID);
    new ProbeEncoder().wrap(buffer, end + FrameStart.LENGTH).probeId(id);
    end += PROBE_LENGTH;
    return this;
  }

  private void seal(int node) {
    seal(node, end);
  }

  private void seal(int node, int bodyEnd) {
    int at = PacketHeader.LENGTH;
    notes.onSealed(node, buffer, 0, at, bodyEnd - at);
    buffer.setMemory(at, buffer.capacity() - at, (byte) 0xA5);
  }

  private List<FrameNote> seen(int node) {
    return notes.of(node, buffer, end + PacketHeader.TAG_LENGTH);
  }

  private static FrameNote note(long id) {
    return new FrameNote(FrameType.PROBE, id);
  }

  @Test
  void shouldRememberNothingUntilSomebodyWantsIt() {
    header(1).probe(5).seal(0);
    assertEquals(List.of(), seen(0));
    assertEquals(0, notes.remembered());
    notes.want();
    assertEquals(List.of(), seen(0));
  }

  @Test
  void shouldKnowAPacketByItsSenderAndHeader() {
    notes.want();
    header(1).probe(5).probe(6).seal(0);
    byte[] copy = buffer.byteArray().clone();
    assertEquals(List.of(note(5), note(6)), seen(0));
    assertEquals(List.of(), seen(1), "another sender's packet of that number");
    header(2).probe(7).seal(0);
    assertEquals(List.of(note(7)), seen(0), "the buffer is another packet now");
    header(1);
    assertEquals(List.of(note(5), note(6)), notes.of(0, new SegmentBuffer(copy), copy.length));
    PacketHeader.encodeFixed(buffer, 0, 0, 0, PATH + 1);
    assertEquals(List.of(), seen(0), "another path");
  }

  @Test
  void shouldEndAtPaddingAndBeforeWhatIsCutOff() {
    notes.want();
    header(1).probe(5);
    seal(0, end + 40);
    assertEquals(List.of(note(5)), seen(0));
    header(2).probe(5).probe(6);
    seal(0, end - 1);
    assertEquals(List.of(note(5)), seen(0));
  }

  @Test
  void shouldForgetWhatWasNeverSent() {
    notes.want();
    for (int number = 0; number < 10_000; number++) {
      header(number).probe(number).seal(0);
    }
    assertEquals(4_096, notes.remembered());
    assertEquals(List.of(note(9_999)), seen(0));
    header(5_903);
    assertEquals(List.of(), seen(0));
    header(5_904);
    assertEquals(List.of(note(5_904)), seen(0));
  }

  @Test
  void shouldReadHandshakesAsTheyAre() {
    notes.want();
    buffer.putByte(0, PacketHeader.FORM_HANDSHAKE);
    FrameStart.encode(buffer, 2, 300, PskReplyEncoder.BLOCK_LENGTH, PskReplyEncoder.TEMPLATE_ID);
    FrameNote reply = new FrameNote(FrameType.PSK_REPLY, FrameNote.NO_SUBJECT);
    assertEquals(List.of(reply), notes.of(3, buffer, 302));
    assertEquals(List.of(), notes.of(3, buffer, 50), "cut off");
    assertEquals(List.of(), notes.of(3, buffer, 1));
  }

  @Test
  void shouldSayWhatAFrameIsAbout() {
    assertEquals("PROBE 9", note(9).toString());
    assertEquals("ADVERT", new FrameNote(FrameType.ADVERT, FrameNote.NO_SUBJECT).toString());
    assertTrue(List.of(FrameType.values()).contains(FrameType.of(ProbeEncoder.TEMPLATE_ID)));
    assertEquals(null, FrameType.of(200));
  }
}
