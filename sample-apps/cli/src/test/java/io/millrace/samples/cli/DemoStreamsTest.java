package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.samples.file.Sha256;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The demo's errors after a wrong record, of twenty, in the other process. */
@Timeout(60)
class DemoStreamsTest {
  private static final int RECORDS = 20;

  @TempDir Path folder;
  @TempDir static Path shared;

  private final TransportSettings settings = LocalCertificates.in(shared).settings();
  private final Transport server = Transport.start(settings);
  private final Transport client = Transport.start(settings);
  private Path input = Path.of("");

  /** The fault of the other process in the elements of a stream. */
  enum Fault {
    NONE,
    LOSES,
    REPEATS,
    ALTERS,
    LOSES_LAST;

    List<ByteString> of(long number, ByteString element) {
      return switch (this) {
        case NONE -> List.of(element);
        case LOSES -> number == 7 ? List.of() : List.of(element);
        case LOSES_LAST -> number == RECORDS - 1 ? List.of() : List.of(element);
        case REPEATS -> number == 7 ? List.of(element, element) : List.of(element);
        case ALTERS -> number == 7 ? List.of(altered(element)) : List.of(element);
      };
    }

    private static ByteString altered(ByteString element) {
      byte[] other = element.toArray();
      other[other.length / 2] ^= 1;
      return ByteString.fromArrayUnsafe(other);
    }

    Source<ByteString, ?> in(Source<ByteString, ?> elements) {
      return elements.zipWithIndex().mapConcat(indexed -> of(indexed.second(), indexed.first()));
    }
  }

  @BeforeEach
  void write() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < RECORDS; i++) {
      text.append("record ").append(i).append("\n");
    }
    input = Files.writeString(folder.resolve("input"), text);
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private StreamedFile run(Fault back, Fault bothWays) throws Exception {
    RecordFile file = RecordFile.open(input);
    server.serveStreamingRequest(
        DemoStreamRoutes.KEEP, new DemoStreamRoutes(server.materializer(), kept())::keep);
    server.serveStreamingResponse(
        DemoStreamRoutes.GIVE,
        (request, context) -> {
          context.answerHeaders(context.headers());
          return back.in(DemoStreamRoutes.records(file));
        });
    server.serveBidirectional(
        DemoStreamRoutes.TRANSFORM,
        (records, context) -> {
          context.answerHeaders(context.headers());
          return bothWays.in(DemoStreamRoutes.answers(records));
        });
    Screen screen = new Screen(quiet(), quiet(), false);
    return new DemoStreams(
            client.peer(server.address()),
            file,
            client.materializer(),
            new Progress(screen, System.nanoTime()))
        .run();
  }

  private Path kept() {
    return folder.resolve("kept");
  }

  private static PrintStream quiet() {
    return new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
  }

  @Test
  void shouldBringEveryRecordThereAndBack() throws Exception {
    StreamedFile streamed = run(Fault.NONE, Fault.NONE);

    assertEquals(RECORDS, streamed.records());
    assertEquals(Files.size(input), streamed.bytes());
    assertEquals(Sha256.of(input), streamed.keptDigest());
    assertEquals(Sha256.of(input), streamed.bothWays().digest());
    assertEquals(-1, Files.mismatch(input, kept()));
  }

  @ParameterizedTest
  @CsvSource({
    "LOSES, record 7 came back as another record",
    "REPEATS, record 8 came back as another record",
    "ALTERS, record 7 came back as another record",
    "LOSES_LAST, record 19 did not come back"
  })
  void shouldFindWhatIsWrongInAStreamingResponse(Fault fault, String sentence) {
    assertEquals(sentence, failure(fault, Fault.NONE));
  }

  @ParameterizedTest
  @CsvSource({
    "LOSES, the answer to record 7 has wrong bytes",
    "REPEATS, the answer to record 8 has wrong bytes",
    "ALTERS, the answer to record 7 has wrong bytes",
    "LOSES_LAST, 1 records were not answered"
  })
  void shouldFindWhatIsWrongInABidirectionalStream(Fault fault, String sentence) {
    assertEquals(sentence, failure(Fault.NONE, fault));
  }

  private String failure(Fault back, Fault bothWays) {
    return Sentence.of(assertThrows(Exception.class, () -> run(back, bothWays)));
  }
}
