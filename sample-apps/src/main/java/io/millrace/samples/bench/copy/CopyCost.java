package io.millrace.samples.bench.copy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.samples.file.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Copies a file of random bytes to a node and back with {@code millrace cp}, beside {@code millrace
 * perf --pattern bulk} and a copy by one thread alone in the same run, and tells the rates, whether
 * every byte is right, and how much memory both processes held over time. The files are not forced
 * to the device.
 *
 * <p>Arguments: MiB of the file, {@code loopback} or {@code veth} (root), the directory to work in.
 * Ends with 1 if a digest is wrong or the memory of a side grew.
 */
public final class CopyCost {
  private static final int BLOCK = 1 << 20;
  private static final int WRITE_BYTES = 1 << 16;
  private static final String PERF_SECONDS = "8";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Link link;
  private final Path key;
  private final Path file;
  private final Path served;
  private final Path back;
  private final List<String> problems = new ArrayList<>();

  private CopyCost(Link link, Path folder) throws IOException {
    this.link = link;
    key = folder.resolve("psk");
    file = folder.resolve("file");
    served = Files.createDirectory(folder.resolve("served"));
    back = folder.resolve("back");
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    Files.writeString(key, HexFormat.of().formatHex(secret));
  }

  /** Measures, prints, and removes what it wrote. */
  public static void main(String[] args) throws Exception {
    long bytes = Long.parseLong(args[0]) * BLOCK;
    Path folder = Files.createTempDirectory(Path.of(args[2]), "millrace-copy");
    List<String> problems;
    try (Link link = args[1].equals("veth") ? Link.veth() : Link.loopback()) {
      problems = new CopyCost(link, folder).run(bytes);
    } finally {
      remove(folder);
    }
    problems.forEach(System.err::println);
    System.exit(problems.isEmpty() ? 0 : 1);
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(each);
      }
    }
  }

  private List<String> run(long bytes) throws Exception {
    System.err.println("writing a file of " + bytes + " bytes ...");
    String digest = write(bytes);
    System.out.printf("written again by one thread alone: %.2f GB/s%n", rewrite(bytes) / 1e9);
    try (Command node = serve()) {
      String address = node.nextLine().split(" ", 4)[2];
      copy(node, "to the node", digest, served.resolve("file"), file.toString(), address + ":file");
      copy(node, "from the node", digest, back, address + ":file", back.toString());
      System.err.println("bulk from memory ...");
      System.out.printf(
          "%s, bulk of 64 MiB from memory: %.2f GB/s%n", link.name(), perf(address) / 1e9);
    }
    return problems;
  }

  private Command serve() throws IOException {
    return command(
        link.within(),
        List.of("--no-sync"),
        "serve",
        "--listen",
        link.address(),
        "--dir",
        served.toString());
  }

  private Command command(List<String> within, List<String> options, String... arguments)
      throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(options);
    all.addAll(List.of("--psk-file", key.toString()));
    return Command.start(within, all);
  }

  /** Once without and once with a digest that {@code cp} takes of it on its way. */
  private void copy(Command node, String way, String digest, Path written, String from, String to)
      throws IOException, InterruptedException {
    for (boolean isDigested : new boolean[] {false, true}) {
      String what = isDigested ? way + ", digested" : way;
      System.err.println("copying it " + what + " ...");
      Files.deleteIfExists(written);
      copy(node, what, isDigested, digest, written, from, to);
    }
  }

  private void copy(
      Command node,
      String what,
      boolean isDigested,
      String digest,
      Path written,
      String from,
      String to)
      throws IOException, InterruptedException {
    List<String> options = isDigested ? List.of("--checksum") : List.of();
    JsonNode report;
    Series here;
    Series there;
    try (Command copy = command(List.of(), options, "cp", from, to, "--no-sync", "--json");
        ResidentMemory ours = ResidentMemory.of(copy.pid());
        ResidentMemory theirs = ResidentMemory.of(node.pid())) {
      report = JSON.readTree(copy.lastLine());
      here = new Series(ours.end());
      there = new Series(theirs.end());
    }
    boolean isRight =
        digest.equals(Sha256.of(written))
            && (!isDigested || digest.equals(report.path("sha256").asText()));
    System.out.printf(
        "%s, %s: %d bytes in %.1f s, %.2f GB/s, %s%n",
        link.name(),
        what,
        report.path("bytes").asLong(),
        report.path("seconds").asDouble(),
        report.path("bytes_per_s").asDouble() / 1e9,
        isRight ? "right" : "WRONG");
    if (!isRight) {
      problems.add("the file that went " + what + " is not what it was");
    }
    tell(what, "cp", here);
    tell(what, "serve", there);
  }

  private void tell(String way, String who, Series series) {
    System.out.printf(
        "  %-5s resident %4d MiB median, %4d most  %s%n",
        who, series.median(), series.most(), series.plot());
    if (!series.isFlat()) {
      problems.add("the memory of " + who + " grew while the file went " + way);
    }
  }

  private double perf(String address) throws IOException, InterruptedException {
    try (Command perf =
        command(
            List.of(),
            List.of("--json"),
            "perf",
            address,
            "--pattern",
            "bulk",
            "--size",
            String.valueOf(64 * BLOCK),
            "--concurrency",
            "1",
            "--duration",
            PERF_SECONDS)) {
      return JSON.readTree(perf.lastLine()).path("bytes_per_s").asDouble();
    }
  }

  /** What the device and the system make of such a file, with no transport: bytes a second. */
  private double rewrite(long bytes) throws IOException {
    Files.deleteIfExists(back);
    byte[] block = new byte[WRITE_BYTES];
    long fromNs = System.nanoTime();
    try (InputStream in = Files.newInputStream(file);
        OutputStream out = Files.newOutputStream(back)) {
      for (int length = in.read(block); length > 0; length = in.read(block)) {
        out.write(block, 0, length);
      }
    }
    return bytes * 1e9 / (System.nanoTime() - fromNs);
  }

  private String write(long bytes) throws IOException {
    SplittableRandom random = new SplittableRandom(bytes);
    MessageDigest digest = Sha256.begin();
    byte[] block = new byte[BLOCK];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long done = 0; done < bytes; done += BLOCK) {
        random.nextBytes(block);
        out.write(block);
        digest.update(block);
      }
    }
    return Sha256.end(digest);
  }
}
