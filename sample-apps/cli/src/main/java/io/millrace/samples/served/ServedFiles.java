package io.millrace.samples.served;

import io.millrace.api.CallContext;
import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkOffer;
import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.api.bulk.DirectoryPlacement;
import io.millrace.api.bulk.FileOptions;
import io.millrace.api.bulk.PlacementException;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.util.ByteString;

/**
 * The files of a directory, which peers read and write by name; no file outside of the directory.
 */
public final class ServedFiles {
  /** Bulk both ways; the header {@link #NAME} is the file's name. */
  public static final Route<?, ?> FILE = Route.bytes("file");

  /** Unary: the payload is a file's name, the answer its length, a big-endian long. */
  public static final Route<ByteString, ByteString> FILE_SIZE = Route.bytes("file-size");

  /** The header that names a file. */
  public static final String NAME = "name";

  /** The character in a text in place of bytes that are no UTF-8. */
  private static final char NO_TEXT = '\uFFFD';

  /** The default number of files open at once. */
  public static final int MOST_OPEN = 256;

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
   * @throws IOException if the directory cannot be used, in a sentence
   */
  public static void serve(Transport transport, Path directory, FileOptions options)
      throws IOException {
    serve(transport, directory, options, new OpenFiles(MOST_OPEN));
  }

  /**
   * Serves this directory, as many files at once as {@code open} allows.
   *
   * @throws IOException if the directory cannot be used, in a sentence
   */
  public static void serve(Transport transport, Path directory, FileOptions options, OpenFiles open)
      throws IOException {
    ServedFiles files = new ServedFiles(DirectoryPlacement.under(directory), options, open);
    transport.serveBulkWrites(FILE, files::accept);
    transport.serveBulkReads(FILE, files::open);
    transport.serve(FILE_SIZE, files::size);
  }

  /** The headers that name a file. */
  public static Headers named(String name) {
    return Headers.of(NAME, name);
  }

  private CompletionStage<BodyTarget> accept(BulkOffer offer) throws IOException {
    String name = name(offer.headers());
    return open.target(offer.peer(), () -> BulkTarget.file(placement.forWriting(name), options));
  }

  private CompletionStage<BodySource> open(BulkOffer offer) throws IOException {
    String name = name(offer.headers());
    return open.source(offer.peer(), () -> BulkSource.file(placement.forReading(name)));
  }

  private CompletionStage<ByteString> size(ByteString asked, CallContext context)
      throws IOException {
    String name = checked(asked.utf8String());
    return open.answer(
        context.peer(),
        () -> {
          long bytes = Files.size(placement.forReading(name));
          return ByteString.fromArrayUnsafe(ByteBuffer.allocate(Long.BYTES).putLong(bytes).array());
        });
  }

  private static String name(Headers headers) throws PlacementException {
    return checked(
        headers
            .text(NAME)
            .orElseThrow(() -> new PlacementException("the headers do not name a file")));
  }

  /** A name that is not UTF-8 would become another name. */
  private static String checked(String name) throws PlacementException {
    if (name.indexOf(NO_TEXT) >= 0) {
      throw new PlacementException("the name of the file is not UTF-8");
    }
    return name;
  }
}
