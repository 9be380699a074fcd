// Signs PDFs with iText and PDFBox, as programs do that are built on them: one job for each line of the standard input, as
// PRODUCER, FROM, TO and FIELD with tabs between them. The only argument is a PKCS #12 file with the password "secret".
import com.itextpdf.text.Rectangle;
import com.itextpdf.text.pdf.PdfReader;
import com.itextpdf.text.pdf.PdfSignatureAppearance;
import com.itextpdf.text.pdf.PdfStamper;
import com.itextpdf.text.pdf.security.BouncyCastleDigest;
import com.itextpdf.text.pdf.security.MakeSignature;
import com.itextpdf.text.pdf.security.PrivateKeySignature;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Security;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Calendar;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.PDSignature;
import org.bouncycastle.cert.jcajce.JcaCertStore;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.jcajce.JcaSignerInfoGeneratorBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;

public class SignPdfs {
  static PrivateKey key;
  static Certificate[] chain;

  public static void main(String[] arguments) throws Exception {
    Security.addProvider(new BouncyCastleProvider());
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = new FileInputStream(arguments[0])) {
      store.load(in, "secret".toCharArray());
    }
    String alias = store.aliases().nextElement();
    key = (PrivateKey) store.getKey(alias, "secret".toCharArray());
    chain = store.getCertificateChain(alias);
    BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in));
    for (String job; (job = jobs.readLine()) != null; ) {
      String[] words = job.split("\t");
      if (words[0].equals("pdfbox")) signWithPdfBox(words[1], words[2]);
      else signWithIText(words[1], words[2], words[3], words[0].equals("itext-certifying"));
    }
  }

  static void signWithIText(String from, String to, String field, boolean isCertifying) throws Exception {
    PdfReader reader = new PdfReader(from);
    try (OutputStream out = new FileOutputStream(to)) {
      PdfStamper stamper = PdfStamper.createSignature(reader, out, '\0', null, true);
      PdfSignatureAppearance look = stamper.getSignatureAppearance();
      look.setReason("Agreed");
      look.setVisibleSignature(new Rectangle(110, 80, 190, 120), 1, field);
      if (isCertifying) look.setCertificationLevel(PdfSignatureAppearance.CERTIFIED_FORM_FILLING);
      PrivateKeySignature signature = new PrivateKeySignature(key, "SHA-256", "BC");
      MakeSignature.CryptoStandard standard = MakeSignature.CryptoStandard.CADES;
      MakeSignature.signDetached(
          look, new BouncyCastleDigest(), signature, chain, null, null, null, 0, standard);
    }
  }

  static void signWithPdfBox(String from, String to) throws IOException {
    try (PDDocument document = PDDocument.load(new File(from));
        OutputStream out = new FileOutputStream(to)) {
      PDSignature signature = new PDSignature();
      signature.setFilter(PDSignature.FILTER_ADOBE_PPKLITE);
      signature.setSubFilter(PDSignature.SUBFILTER_ADBE_PKCS7_DETACHED);
      signature.setSignDate(Calendar.getInstance());
      document.addSignature(signature, SignPdfs::cmsOf);
      document.saveIncremental(out);
    }
  }

  static byte[] cmsOf(InputStream content) throws IOException {
    try {
      CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
      generator.addSignerInfoGenerator(
          new JcaSignerInfoGeneratorBuilder(new JcaDigestCalculatorProviderBuilder().build())
              .build(new JcaContentSignerBuilder("SHA256WithRSA").build(key), (X509Certificate) chain[0]));
      generator.addCertificates(new JcaCertStore(Arrays.asList(chain)));
      return generator.generate(new CMSProcessableByteArray(content.readAllBytes()), false).getEncoded();
    } catch (GeneralSecurityException | OperatorCreationException | CMSException error) {
      throw new IOException(error);
    }
  }
}
