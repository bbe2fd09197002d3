package io.millrace.samples.cli;

import io.millrace.samples.certs.CertificateDirectory;
import io.millrace.samples.certs.CertificatesException;
import io.millrace.samples.file.Sha256;
import io.millrace.samples.process.Checkout;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Certificates for development: an authority, nodes, the content of certificates, and revocations.
 */
@Command(
    name = "certs",
    description = {
      "Certificates by which nodes authenticate each other, from an authority of your own.",
      "'init' makes the authority on one machine, 'node' a certificate and key for each node.",
      "A node needs ca.pem, NAME.pem and NAME-key.pem; ca-key.pem stays on the first machine."
    },
    synopsisSubcommandLabel = "COMMAND")
final class CertsCommand extends CommandGroup {
  private CertsCommand() {}

  /** Returns the command with its subcommands. */
  static CommandLine commandLine(Screen screen) {
    return new CommandLine(new CertsCommand())
        .addSubcommand(new Init(screen))
        .addSubcommand(new Node(screen))
        .addSubcommand(new Show(screen))
        .addSubcommand(new Revoke(screen));
  }

  /** The common part of the commands: the folder, and the report on a certificate. */
  private abstract static class OfDirectory extends Subcommand {
    @Option(
        names = "--dir",
        paramLabel = "DIR",
        description = "The folder of the certificates. Default: .millrace/certs of the checkout.")
    private @Nullable Path path;

    OfDirectory(Screen screen) {
      super(screen);
    }

    final CertificateDirectory directory() {
      return new CertificateDirectory(path != null ? path : Checkout.certificates());
    }

    @Override
    public final Integer call() throws Exception {
      try {
        run(directory());
      } catch (CertificatesException | NoSuchFileException e) {
        throw CommandException.badArgument(Sentence.of(e));
      } catch (FileSystemException e) {
        throw CommandException.failed("'" + e.getFile() + "': " + reason(e));
      }
      return ExitCode.DONE;
    }

    private static String reason(FileSystemException e) {
      return e instanceof AccessDeniedException ? "permission denied" : e.getReason();
    }

    abstract void run(CertificateDirectory directory)
        throws IOException, CertificateException, CertificatesException;

    /** Prints a line for each new file, or all about the certificate as JSON. */
    final void tell(Path made, Path key)
        throws IOException, CertificateException, CertificatesException {
      X509Certificate certificate = CertificateDirectory.read(made).getFirst();
      if (isJson()) {
        Map<String, Object> report = report(made, certificate);
        report.put("key", key.toString());
        JsonLine.print(screen().out(), report);
        return;
      }
      String names = String.join(", ", names(certificate));
      screen()
          .out()
          .println(
              made
                  + ": "
                  + commonName(certificate)
                  + (names.isEmpty() ? "" : ", for " + names)
                  + ", until "
                  + certificate.getNotAfter().toInstant());
      screen().out().println(key + ": its private key, for its owner only");
    }

    static Map<String, Object> report(Path file, X509Certificate certificate)
        throws CertificateException {
      Map<String, Object> report = new LinkedHashMap<>();
      report.put("file", file.toString());
      report.put("subject", certificate.getSubjectX500Principal().getName());
      report.put("issuer", certificate.getIssuerX500Principal().getName());
      report.put("names", names(certificate));
      report.put("not_before", certificate.getNotBefore().toInstant().toString());
      report.put("not_after", certificate.getNotAfter().toInstant().toString());
      report.put("sha256", fingerprint(certificate));
      return report;
    }

    /** Returns the alternative names of a certificate, DNS names and IP addresses. */
    static List<String> names(X509Certificate certificate) throws CertificateException {
      List<String> names = new ArrayList<>();
      Collection<List<?>> all = certificate.getSubjectAlternativeNames();
      for (List<?> name : all == null ? List.<List<?>>of() : all) {
        names.add(String.valueOf(name.getLast()));
      }
      return names;
    }

    static String fingerprint(X509Certificate certificate) throws CertificateException {
      return HexFormat.of().formatHex(Sha256.begin().digest(certificate.getEncoded()));
    }

    static String commonName(X509Certificate certificate) {
      return certificate.getSubjectX500Principal().getName();
    }
  }

  @Command(
      name = "init",
      description = {
        "Makes an authority: ca.pem, and ca-key.pem, readable by its owner only.",
        "An owner of ca-key.pem can make nodes accepted by all other nodes."
      })
  private static final class Init extends OfDirectory {
    @Option(
        names = "--days",
        paramLabel = "N",
        description = "Days of validity. Default: ${DEFAULT-VALUE}.")
    private int days = CertificateDirectory.AUTHORITY_DAYS;

    @Option(
        names = "--force",
        description = "Replace the authority; certificates of the former are then refused.")
    private boolean force;

    Init(Screen screen) {
      super(screen);
    }

    @Override
    void run(CertificateDirectory directory)
        throws IOException, CertificateException, CertificatesException {
      directory.makeAuthority(days, force);
      tell(directory.authority(), directory.authorityKey());
    }
  }

  @Command(
      name = "node",
      description = {
        "Makes the certificate of a node, NAME.pem, and its key, NAME-key.pem.",
        "Copy both and ca.pem to the node's machine."
      })
  private static final class Node extends OfDirectory {
    @Parameters(paramLabel = "NAME", description = "The name of the node in file names.")
    private String name = "";

    @Option(
        names = "--host",
        paramLabel = "H",
        description = {
          "A DNS name or IP address of the node. May be repeated: give the IP address",
          "that the node tells its peers, and each name by which peers call the node.",
          "Default: localhost, 127.0.0.1, ::1, and NAME if this is a host name or address."
        })
    private List<String> hosts = new ArrayList<>();

    @Option(
        names = "--days",
        paramLabel = "N",
        description = {
          "Days of validity, at most as many as the authority has left.",
          "Default: ${DEFAULT-VALUE}."
        })
    private int days = CertificateDirectory.NODE_DAYS;

    @Option(
        names = "--force",
        description = "Replace the certificate. The former stays valid unless revoked before.")
    private boolean force;

    Node(Screen screen) {
      super(screen);
    }

    @Override
    void run(CertificateDirectory directory)
        throws IOException, CertificateException, CertificatesException {
      directory.makeNode(name, hosts, days, force);
      tell(directory.certificate(name), directory.key(name));
    }
  }

  @Command(
      name = "show",
      description = "Tells the content of FILE, or of all certificates in the folder.")
  private static final class Show extends OfDirectory {
    @Parameters(paramLabel = "FILE", arity = "0..1", description = "A PEM file of certificates.")
    private @Nullable Path file;

    Show(Screen screen) {
      super(screen);
    }

    @Override
    void run(CertificateDirectory directory)
        throws IOException, CertificateException, CertificatesException {
      List<Path> files = file != null ? List.of(file) : directory.certificates();
      if (files.isEmpty()) {
        throw CommandException.badArgument(
            "there are no certificates in '" + directory.path() + "'");
      }
      List<Map<String, Object>> all = new ArrayList<>();
      for (Path each : files) {
        // Of a node's file the first certificate: the further certificates have files of their own
        // here.
        List<X509Certificate> chain = CertificateDirectory.read(each);
        for (X509Certificate certificate : file != null ? chain : chain.subList(0, 1)) {
          all.add(report(each, certificate));
        }
      }
      if (isJson()) {
        JsonLine.print(screen().out(), Map.of("certificates", all));
      } else {
        all.forEach(this::print);
      }
    }

    private void print(Map<String, Object> certificate) {
      screen().out().println(certificate.get("file"));
      line("subject", certificate.get("subject"));
      line("issuer", certificate.get("issuer"));
      if (certificate.get("names") instanceof List<?> names && !names.isEmpty()) {
        line("names", String.join(", ", names.stream().map(String::valueOf).toList()));
      }
      line("valid", certificate.get("not_before") + " to " + certificate.get("not_after"));
      line("SHA-256", certificate.get("sha256"));
    }

    private void line(String what, @Nullable Object value) {
      screen().out().printf("  %-8s %s%n", what, value);
    }
  }

  @Command(
      name = "revoke",
      description = {
        "Adds a node's certificate to the list revoked.pem and deletes nothing.",
        "Copy the list to every node; a node with the list refuses the named certificates."
      })
  private static final class Revoke extends OfDirectory {
    @Parameters(paramLabel = "NAME", description = "The node; the folder must have NAME.pem.")
    private String name = "";

    Revoke(Screen screen) {
      super(screen);
    }

    @Override
    void run(CertificateDirectory directory)
        throws IOException, CertificateException, CertificatesException {
      directory.revoke(name);
      Path file = directory.certificate(name);
      X509Certificate certificate = CertificateDirectory.read(file).getFirst();
      if (isJson()) {
        Map<String, Object> report = report(file, certificate);
        report.put("revocations", directory.revocations().toString());
        JsonLine.print(screen().out(), report);
      } else {
        screen()
            .out()
            .println(directory.revocations() + ": " + commonName(certificate) + " is revoked");
      }
    }
  }
}
