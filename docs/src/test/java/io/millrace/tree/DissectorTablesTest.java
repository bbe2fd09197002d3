package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.capture.PacketOpener;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The Wireshark dissector knows the frames of the schema and the packets of the code. */
final class DissectorTablesTest {
  private static final SourceTree TREE = SourceTree.current();

  @Test
  void shouldHaveTheTablesThatTheSchemaMakes() {
    String dissector = textOf(DissectorTables.DISSECTOR);
    assertEquals(
        DissectorTables.replaced(dissector, textOf(DissectorTables.SCHEMA)),
        dissector,
        "regenerate the dissector");
  }

  @Test
  void shouldKnowThePacketsOfTheCode() {
    String dissector = textOf(DissectorTables.DISSECTOR);
    List<Byte> forms =
        List.of(
            PacketHeader.FORM_DATA,
            PacketHeader.FORM_CHUNKS,
            PacketHeader.FORM_RETIREMENT,
            PacketHeader.FORM_HANDSHAKE,
            PacketHeader.FORM_UNKNOWN);
    String line =
        "local DATA, CHUNKS, RETIREMENT, HANDSHAKE, UNKNOWN = 0x%02x, 0x%02x, 0x%02x, 0x%02x, 0x%02x\n"
            .formatted(forms.toArray());
    assertTrue(dissector.contains(line), line);
    String sizes =
        "local HEADER, TAG, FRAME_START, CHUNK = %d, %d, %d, %d\n"
            .formatted(
                PacketHeader.LENGTH,
                PacketHeader.TAG_LENGTH,
                FrameStart.LENGTH,
                PacketHeader.CHUNK_LENGTH);
    assertTrue(dissector.contains(sizes), sizes);
    assertTrue(dissector.contains("local OPENED = 0x%02x\n".formatted(PacketOpener.OPENED)));
    forms.forEach(form -> assertEquals(0, form & PacketOpener.OPENED, "a form that is sent"));
  }

  private static String textOf(String path) {
    return TREE.file(path).orElseThrow().text();
  }
}
