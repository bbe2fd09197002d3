package io.millrace.samples.cli;

import io.millrace.api.StreamingCall;
import io.millrace.api.StreamingResponse;
import io.millrace.api.Transport;
import io.millrace.api.UnaryCall;
import io.millrace.api.UnaryResponse;
import io.millrace.samples.cli.RecordFile.RecordStream;
import io.millrace.samples.file.Sha256;
import io.millrace.wire.Route;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.FileIO;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** What the demo's second process does with streams of a file's records. */
final class DemoStreamRoutes {
  /** Writes the records of a stream to a file, and answers with their SHA-256. */
  static final Route KEEP = Route.of("demo-stream-keep");

  /** Streams the records of the file that was kept. */
  static final Route GIVE = Route.of("demo-stream-give");

  /** Answers each record of a stream with what {@link Transformation} makes of it. */
  static final Route TRANSFORM = Route.of("demo-stream-transform");

  private final Materializer materializer;
  private final Path file;

  DemoStreamRoutes(Materializer materializer, Path file) {
    this.materializer = materializer;
    this.file = file;
  }

  static void serve(Transport transport, Path directory) {
    DemoStreamRoutes routes =
        new DemoStreamRoutes(transport.materializer(), directory.resolve("streamed"));
    transport.serveStreamingRequest(KEEP, routes::keep);
    transport.serveStreamingResponse(GIVE, routes::give);
    transport.serveBidirectional(TRANSFORM, DemoStreamRoutes::transform);
  }

  /** The records of a file from its beginning, read as they are asked for, off the main threads. */
  static Source<byte[], NotUsed> records(RecordFile file) {
    return Source.<byte[], RecordStream>unfoldResource(
            file::records,
            records -> records.hasNext() ? Optional.of(records.next()) : Optional.empty(),
            RecordStream::close)
        .mapMaterializedValue(_ -> NotUsed.getInstance());
  }

  CompletionStage<UnaryResponse> keep(StreamingCall call) {
    MessageDigest digest = Sha256.begin();
    return call.elements()
        .map(
            record -> {
              digest.update(record);
              return ByteString.fromArrayUnsafe(record);
            })
        .runWith(FileIO.toPath(file), materializer)
        .thenApply(written -> new UnaryResponse(call.headers(), digest.digest()));
  }

  private StreamingResponse give(UnaryCall call) throws Exception {
    return new StreamingResponse(call.headers(), records(RecordFile.open(file)));
  }

  private static StreamingResponse transform(StreamingCall call) {
    return new StreamingResponse(call.headers(), call.elements().map(new Transformation()::answer));
  }
}
