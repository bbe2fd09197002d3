package io.millrace.samples.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A folder of artifacts: each is a file with its content id as name, and a manifest beside it. A
 * whole file appears under its name, and survives a power failure from the return of {@link
 * #publish} on.
 */
final class ArtifactFolder {
  private static final String MANIFEST = ".manifest";
  private static final String PART = ".part";
  private static final ObjectMapper MAPPER = JsonMapper.builder().build();

  private final Path folder;
  private final Forcing forcing;

  /** Brings a file, or the names in a folder, to the device. */
  interface Forcing {
    void force(Path fileOrFolder) throws IOException;
  }

  /**
   * Opens a folder, or makes the folder.
   *
   * @throws IOException if the folder cannot be used
   */
  ArtifactFolder(Path folder) throws IOException {
    this(folder, ArtifactFolder::force);
  }

  ArtifactFolder(Path folder, Forcing forcing) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.forcing = forcing;
  }

  private static void force(Path fileOrFolder) throws IOException {
    try (FileChannel channel = FileChannel.open(fileOrFolder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Deletes the unfinished files of an earlier process; only for the process that writes here. */
  void removeUnfinished() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(PART)).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Returns the whole file of an artifact, if the file is here. */
  Optional<Path> file(String artifact) {
    Path file = folder.resolve(checked(artifact));
    return Files.isRegularFile(file) ? Optional.of(file) : Optional.empty();
  }

  /** The name of a file must not lead out of the folder. */
  private static String checked(String artifact) {
    if (!Manifest.isId(artifact)) {
      throw new IllegalArgumentException("not a content id: '" + artifact + "'");
    }
    return artifact;
  }

  /** Returns a name for a file under construction. */
  Path part() {
    return folder.resolve(UUID.randomUUID() + PART);
  }

  /**
   * Gives a whole file its name, the manifest first; returns its new path. The bytes of the file
   * are on the device already.
   */
  Path publish(Path part, Manifest manifest) throws IOException {
    Path file = folder.resolve(checked(manifest.id()));
    Path about = part();
    MAPPER.writeValue(about.toFile(), manifest);
    forcing.force(about);
    Files.move(
        about, file.resolveSibling(file.getFileName() + MANIFEST), StandardCopyOption.ATOMIC_MOVE);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    forcing.force(folder);
    return file;
  }

  /**
   * Returns the manifests of all whole files; skips a manifest that is damaged or has another id
   * than its name.
   */
  List<Manifest> manifests() throws IOException {
    List<Manifest> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path about : files.filter(path -> path.toString().endsWith(MANIFEST)).toList()) {
        read(about)
            .filter(each -> about.getFileName().toString().equals(each.id() + MANIFEST))
            .filter(each -> file(each.id()).isPresent())
            .ifPresent(found::add);
      }
    }
    return found;
  }

  private static Optional<Manifest> read(Path about) throws IOException {
    try {
      return Optional.of(MAPPER.readValue(about.toFile(), Manifest.class));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
