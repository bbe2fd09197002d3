package io.millrace.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.handshake.AdvertFuzzTest;
import io.millrace.handshake.psk.PskFuzzTest;
import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.CausalPrefix;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.FrameHeaderDecoder;
import io.millrace.wire.codec.InlineRequestDecoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The seeds of the fuzz tests hold every message of the schema: a message without a seed is never
 * fuzzed.
 */
class SeedsTest {
  private static final Path SCHEMA = Path.of("src/main/sbe/millrace.xml");
  private static final Pattern MESSAGE =
      Pattern.compile("<sbe:message name=\"(\\w+)\" id=\"(\\d+)\"");

  /** Ids of the schema from here on are of messages of handshakes. */
  private static final int FIRST_OF_HANDSHAKES = 64;

  /** Bytes ahead of the frame in a datagram of the handshake by a pre-shared key. */
  private static final int PSK_ENVELOPE = 2;

  private static final int TEMPLATE = FrameHeaderDecoder.templateIdEncodingOffset();

  private static final int PATTERN_AT =
      FrameStart.LENGTH + InlineRequestDecoder.patternEncodingOffset();

  private static Set<Integer> schema(int from, int to) throws IOException {
    Set<Integer> ids = new TreeSet<>();
    MESSAGE
        .matcher(Files.readString(SCHEMA))
        .results()
        .map(message -> Integer.valueOf(message.group(2)))
        .filter(id -> id >= from && id < to)
        .forEach(ids::add);
    return ids;
  }

  /** All frames in the seeds of a peer. */
  private static List<byte[]> frames() {
    List<byte[]> frames = new ArrayList<>();
    FrameFuzzTest.seeds().forEach(seed -> PeerInput.steps(seed).forEach(step -> add(frames, step)));
    return frames;
  }

  private static void add(List<byte[]> frames, PeerInput.Step step) {
    byte[] bytes =
        switch (step) {
          case PeerInput.Step.Body packet -> packet.body();
          case PeerInput.Step.Chunks chunks -> chunks.frames();
          case PeerInput.Step.Retirement retirement -> retirement.frames();
          case PeerInput.Step.Time _ -> new byte[0];
        };
    SegmentBuffer buffer = new SegmentBuffer(bytes);
    for (int at = 0; at < bytes.length; at += FrameStart.frameLength(buffer, at)) {
      byte[] frame = new byte[FrameStart.frameLength(buffer, at)];
      buffer.getBytes(at, frame);
      frames.add(frame);
    }
  }

  private static int template(byte[] frame) {
    return FrameStart.templateId(new SegmentBuffer(frame), 0);
  }

  @Test
  void shouldHoldEachFrameOfPaths() throws IOException {
    Set<Integer> held = new TreeSet<>();
    frames().forEach(frame -> held.add(template(frame)));
    assertEquals(schema(0, FIRST_OF_HANDSHAKES), held);
  }

  @Test
  void shouldHoldRequestsAndOpeningsThatWaitForOthers() {
    Set<Integer> patterns = new HashSet<>();
    for (byte[] frame : frames()) {
      if (template(frame) == InlineRequestDecoder.TEMPLATE_ID) {
        patterns.add((int) frame[PATTERN_AT]);
      }
    }
    assertTrue(patterns.contains(CausalPrefix.FLAG), "no request");
    assertTrue(patterns.stream().anyMatch(pattern -> pattern > CausalPrefix.FLAG), "no stream");
  }

  /**
   * Messages of the handshake by a pre-shared key, and the sealed contents of two such messages.
   */
  @Test
  void shouldHoldEachMessageOfHandshakes() throws IOException {
    Set<Integer> held = new TreeSet<>();
    PskFuzzTest.genuineChanged().forEach(seed -> held.add((int) seed[1 + PSK_ENVELOPE + TEMPLATE]));
    AdvertFuzzTest.seeds().forEach(seed -> held.add((int) seed[1 + TEMPLATE]));
    assertEquals(schema(FIRST_OF_HANDSHAKES, Integer.MAX_VALUE), held);
  }

  /**
   * The path reads all frames of a seed, because only the last seed breaks a rule along the way.
   */
  @Test
  void shouldBeReadToTheirEnds() throws DriverException {
    PeerStage stage = new PeerStage();
    List<Integer> broken = new ArrayList<>();
    List<byte[]> seeds = FrameFuzzTest.seeds().toList();
    for (int i = 0; i < seeds.size(); i++) {
      long before = stage.violations();
      stage.play(seeds.get(i));
      if (stage.violations() > before) {
        broken.add(i);
      }
    }
    assertEquals(List.of(seeds.size() - 1), broken, "seeds that end their path");
    assertEquals(2, stage.lab().services.context().counters().retirementsReceived);
  }
}
