package io.millrace.samples.cli;

import io.millrace.api.CallContext;
import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.samples.cli.RecordFile.RecordStream;
import io.millrace.samples.file.Sha256;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.FileIO;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** The routes of the demo's second process for streams of a file's records. */
final class DemoStreamRoutes {
  /** Writes the records of a stream to a file, and answers with their SHA-256. */
  static final Route<ByteString, ByteString> KEEP = Route.bytes("demo-stream-keep");

  /** Streams the records of the kept file. */
  static final Route<ByteString, ByteString> GIVE = Route.bytes("demo-stream-give");

  /** Answers each record of a stream with its {@link Transformation}. */
  static final Route<ByteString, ByteString> TRANSFORM = Route.bytes("demo-stream-transform");

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

  /** Returns the records of a file from its beginning, read on demand, off the main threads. */
  static Source<ByteString, NotUsed> records(RecordFile file) {
    return Source.<ByteString, RecordStream>unfoldResource(
            file::records,
            records ->
                records.hasNext()
                    ? Optional.of(ByteString.fromArrayUnsafe(records.next()))
                    : Optional.empty(),
            RecordStream::close)
        .mapMaterializedValue(_ -> NotUsed.getInstance());
  }

  CompletionStage<ByteString> keep(Source<ByteString, NotUsed> records, CallContext context) {
    context.answerHeaders(context.headers());
    MessageDigest digest = Sha256.begin();
    return records
        .map(
            record -> {
              digest.update(record.toArrayUnsafe());
              return record;
            })
        .runWith(FileIO.toPath(file), materializer)
        .thenApply(written -> ByteString.fromArrayUnsafe(digest.digest()));
  }

  private Source<ByteString, NotUsed> give(ByteString request, CallContext context)
      throws IOException {
    context.answerHeaders(context.headers());
    return records(RecordFile.open(file));
  }

  private static Source<ByteString, NotUsed> transform(
      Source<ByteString, NotUsed> records, CallContext context) {
    context.answerHeaders(context.headers());
    return answers(records);
  }

  /** Returns the transformation of each record. */
  static Source<ByteString, NotUsed> answers(Source<ByteString, NotUsed> records) {
    Transformation transformation = new Transformation();
    return records.map(
        record -> ByteString.fromArrayUnsafe(transformation.answer(record.toArrayUnsafe())));
  }
}
