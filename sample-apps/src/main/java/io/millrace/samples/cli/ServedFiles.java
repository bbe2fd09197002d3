package io.millrace.samples.cli;

import io.millrace.actor.body.BodySource;
import io.millrace.actor.body.BodyTarget;
import io.millrace.api.Transport;
import io.millrace.api.UnaryCall;
import io.millrace.api.UnaryResponse;
import io.millrace.api.bulk.BulkOffer;
import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.api.bulk.DirectoryPlacement;
import io.millrace.api.bulk.FileOptions;
import io.millrace.wire.Route;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The files of one directory, which peers read and write by name; nothing outside of it. */
final class ServedFiles {
  /** Bulk both ways; the headers are the file's name. */
  static final Route FILE = Route.of("file");

  /** Unary: the payload is a file's name, the answer its length, a big-endian long. */
  static final Route FILE_SIZE = Route.of("file-size");

  private final DirectoryPlacement placement;
  private final FileOptions options;

  private ServedFiles(DirectoryPlacement placement, FileOptions options) {
    this.placement = placement;
    this.options = options;
  }

  /**
   * Serves this directory.
   *
   * @throws IOException if it cannot be used, in one sentence
   */
  static void serve(Transport transport, Path directory, FileOptions options) throws IOException {
    ServedFiles files = new ServedFiles(DirectoryPlacement.under(directory), options);
    transport.serveBulkWrites(FILE, files::accept);
    transport.serveBulkReads(FILE, files::open);
    transport.serve(FILE_SIZE, files::size);
  }

  /** A name as it travels. */
  static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  private CompletionStage<BodyTarget> accept(BulkOffer offer) throws IOException {
    Path file = placement.forWriting(name(offer.headers()));
    return CompletableFuture.completedFuture(BulkTarget.file(file, options));
  }

  private CompletionStage<BodySource> open(BulkOffer offer) throws IOException {
    Path file = placement.forReading(name(offer.headers()));
    return CompletableFuture.completedFuture(BulkSource.file(file));
  }

  private CompletionStage<UnaryResponse> size(UnaryCall call) throws IOException {
    long bytes = Files.size(placement.forReading(name(call.payload())));
    byte[] answer = ByteBuffer.allocate(Long.BYTES).putLong(bytes).array();
    return CompletableFuture.completedFuture(UnaryResponse.of(answer));
  }

  private static String name(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
