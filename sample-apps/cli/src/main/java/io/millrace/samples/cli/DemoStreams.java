package io.millrace.samples.cli;

import io.millrace.api.Call;
import io.millrace.api.Peer;
import io.millrace.api.Response;
import io.millrace.api.TransferOptions;
import io.millrace.samples.cli.AnswerCheck.Sent;
import io.millrace.samples.cli.AnswerCheck.Verified;
import io.millrace.samples.cli.RecordFile.RecordStream;
import io.millrace.transfer.Headers;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.Done;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * Streams a file's records to the other process, which keeps the records on its disk. Then the
 * other process streams the records back from its disk, and at last records go both ways at once.
 * The returned records are compared byte by byte.
 */
final class DemoStreams {
  private static final Headers HEADERS = Headers.of("from", "demo");
  private static final TransferOptions OPTIONS = TransferOptions.DEFAULTS.withHeaders(HEADERS);

  private final Peer peer;
  private final RecordFile file;
  private final Materializer materializer;
  private final Progress progress;
  private final AtomicLong moved = new AtomicLong();

  DemoStreams(Peer peer, RecordFile file, Materializer materializer, Progress progress) {
    this.peer = peer;
    this.file = file;
    this.materializer = materializer;
    this.progress = progress;
  }

  /**
   * Runs all three patterns, one after the other; the second pattern streams the records of the
   * first.
   */
  StreamedFile run() throws IOException, InterruptedException, ExecutionException {
    long startNs = System.nanoTime();
    String kept = there();
    long thereNs = System.nanoTime() - startNs;
    startNs = System.nanoTime();
    long records = back();
    long backNs = System.nanoTime() - startNs;
    return new StreamedFile(records, file.bytes(), thereNs, backNs, kept, bothWays());
  }

  /** Streams requests; returns the peer's digest of the records. */
  private String there() throws InterruptedException, ExecutionException {
    Call<ByteString> call =
        DemoStreamRoutes.records(file)
            .map(
                record -> {
                  show("streaming request", record.length());
                  return record;
                })
            .runWith(peer.streamingRequest(DemoStreamRoutes.KEEP, OPTIONS), materializer);
    Response<ByteString> response = await(call.response());
    requireHeaders(response.headers());
    return HexFormat.of().formatHex(response.value().toArrayUnsafe());
  }

  /** Streams responses; returns the number of records, each equal to the record here. */
  private long back() throws IOException, InterruptedException, ExecutionException {
    AtomicLong records = new AtomicLong();
    try (RecordStream expected = file.records()) {
      awaitStream(
          peer.streamingResponseWithHeaders(
              DemoStreamRoutes.GIVE, ByteString.emptyByteString(), OPTIONS),
          record -> {
            if (!expected.hasNext() || !Arrays.equals(expected.next(), record.toArrayUnsafe())) {
              throw CommandException.failed("record " + records + " came back as another record");
            }
            records.incrementAndGet();
            show("streaming response", record.length());
          });
      if (expected.hasNext()) {
        throw CommandException.failed("record " + records + " did not come back");
      }
    }
    return records.get();
  }

  /** Streams both ways: every answer must be the answer to the next record. */
  private Verified bothWays() throws InterruptedException, ExecutionException {
    AnswerCheck check = new AnswerCheck();
    Queue<Sent> underway = new ConcurrentLinkedQueue<>();
    AtomicLong number = new AtomicLong();
    long startNs = System.nanoTime();
    awaitStream(
        DemoStreamRoutes.records(file)
            .map(
                record -> {
                  underway.add(
                      new Sent(
                          number.getAndIncrement(), record.toArrayUnsafe(), System.nanoTime()));
                  return record;
                })
            .viaMat(
                peer.bidirectionalWithHeaders(DemoStreamRoutes.TRANSFORM, OPTIONS), Keep.right()),
        answer -> {
          Sent sent = underway.remove();
          check.onAnswer(sent, answer, System.nanoTime() - sent.atNs());
          show("bidirectional", sent.record().length);
        });
    if (!underway.isEmpty()) {
      throw CommandException.failed(underway.size() + " records were not answered");
    }
    return check.end(System.nanoTime() - startNs);
  }

  /** Checks each element that arrives. */
  private interface ElementCheck {
    void check(ByteString element) throws Exception;
  }

  private void awaitStream(Source<ByteString, CompletionStage<Headers>> stream, ElementCheck check)
      throws InterruptedException, ExecutionException {
    Pair<CompletionStage<Headers>, CompletionStage<Done>> running =
        stream.toMat(Sink.foreach(check::check), Keep.both()).run(materializer);
    await(running.second());
    requireHeaders(await(running.first()));
  }

  private <T> T await(CompletionStage<T> stage) throws InterruptedException, ExecutionException {
    return DemoRun.await(stage.toCompletableFuture(), moved::get, "a stream stalled");
  }

  private static void requireHeaders(Headers headers) {
    if (!HEADERS.equals(headers)) {
      throw CommandException.failed("a stream came with other headers");
    }
  }

  /** Runs on the stream's thread; only a single stream runs at a time. */
  private void show(String what, int recordBytes) {
    long bytes = moved.addAndGet(recordBytes);
    long nowNs = System.nanoTime();
    if (progress.isDue(nowNs)) {
      long percent = bytes * 100 / (3 * file.bytes());
      progress.show(String.format(Locale.ROOT, "streams %3d %%, %s", percent, what), nowNs);
    }
  }
}
