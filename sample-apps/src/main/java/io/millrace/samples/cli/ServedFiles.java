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
import io.millrace.api.bulk.PlacementException;
import io.millrace.wire.Route;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;

/** The files of one directory, which peers read and write by name; nothing outside of it. */
final class ServedFiles {
  /** Bulk both ways; the headers are the file's name. */
  static final Route FILE = Route.of("file");

  /** Unary: the payload is a file's name, the answer its length, a big-endian long. */
  static final Route FILE_SIZE = Route.of("file-size");

  /** Files open at once unless told otherwise. */
  static final int MOST_OPEN = 256;

  private final DirectoryPlacement placement;
  private final FileOptions options;
  private final OpenFiles open;

  private ServedFiles(DirectoryPlacement placement, FileOptions options, OpenFiles open) {
    this.placement = placement;
    this.options = options;
    this.open = open;
  }

  /**
   * Serves this directory, {@link #MOST_OPEN} files at once.
   *
   * @throws IOException if it cannot be used, in one sentence
   */
  static void serve(Transport transport, Path directory, FileOptions options) throws IOException {
    serve(transport, directory, options, new OpenFiles(MOST_OPEN));
  }

  /** Serves this directory, as many files at once as {@code open} allows. */
  static void serve(Transport transport, Path directory, FileOptions options, OpenFiles open)
      throws IOException {
    ServedFiles files = new ServedFiles(DirectoryPlacement.under(directory), options, open);
    transport.serveBulkWrites(FILE, files::accept);
    transport.serveBulkReads(FILE, files::open);
    transport.serve(FILE_SIZE, files::size);
  }

  /** A name as it travels. */
  static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  private CompletionStage<BodyTarget> accept(BulkOffer offer) throws IOException {
    String name = name(offer.headers());
    return open.target(offer.peer(), () -> BulkTarget.file(placement.forWriting(name), options));
  }

  private CompletionStage<BodySource> open(BulkOffer offer) throws IOException {
    String name = name(offer.headers());
    return open.source(offer.peer(), () -> BulkSource.file(placement.forReading(name)));
  }

  private CompletionStage<UnaryResponse> size(UnaryCall call) throws IOException {
    String name = name(call.payload());
    return open.answer(
        call.peer(),
        () -> {
          long bytes = Files.size(placement.forReading(name));
          return UnaryResponse.of(ByteBuffer.allocate(Long.BYTES).putLong(bytes).array());
        });
  }

  /** What is not UTF-8 would become another name. */
  private static String name(byte[] bytes) throws PlacementException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new PlacementException("the name of the file is not UTF-8");
    }
  }
}
